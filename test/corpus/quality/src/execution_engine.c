#include "execution_engine.h"

/* The lens turns once a call; the turn is evidence of itself. */
int
ExecutionEngineTurn(ExecutionEngine *engine)
{
	engine->turns += engine->speed;
	return engine->turns;
}

void
ExecutionEngineStop(ExecutionEngine *engine)
{
	engine->speed = 0;
}
