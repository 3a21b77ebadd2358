#include <string.h>

#include "execution_engine.h"

int
main(int argc, char **argv)
{
	ExecutionEngine engine = {2, 0};

	if (argc > 1 && strcmp(argv[1], "turns") == 0)
		return ExecutionEngineTurn(&engine) == 2 ? 0 : 1;
	ExecutionEngineStop(&engine);
	if (argc > 1 && strcmp(argv[1], "stops") == 0)
		return ExecutionEngineTurn(&engine) == 0 ? 0 : 1;
	return 1;
}
