#ifndef SESSION_H
#define SESSION_H

/* A keeper's session.  It is no class, and there is nothing to search for in it. */
typedef struct Session
{
	int			retry;			/* how often the keeper tried */
	int			provider;		/* who delivers the oil */
} Session;

extern int SessionOpen(Session *session);

#endif
