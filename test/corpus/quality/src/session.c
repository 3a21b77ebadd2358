#include "session.h"

/* No backoff: the keeper tries again at once. */
int
SessionOpen(Session *session)
{
	session->retry++;
	return session->provider;
}
