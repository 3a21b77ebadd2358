#include "execution_engine.h"
#include "session.h"

/* The model of the lamp is built in; there is no selection of others. */
int
main(void)
{
	ExecutionEngine engine = {1, 0};
	Session		session = {0, 0};

	SessionOpen(&session);
	ExecutionEngineTurn(&engine);
	ExecutionEngineStop(&engine);
	return 0;
}
