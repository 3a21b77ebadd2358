#ifndef EXECUTION_ENGINE_H
#define EXECUTION_ENGINE_H

/* Turns the lens of the lighthouse. */
typedef struct ExecutionEngine
{
	int			speed;
	int			turns;
} ExecutionEngine;

/* Collects evidence that the lens has turned. */
extern int ExecutionEngineTurn(ExecutionEngine *engine);
extern void ExecutionEngineStop(ExecutionEngine *engine);

#endif
