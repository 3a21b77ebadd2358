"""One request, one transaction: in the role and for the tenant of whoever asks, with a limit on its time.

Values are parameters and no statement is prepared, for a tenant's function can read the texts of prepared
statements of its session. A connection that comes back is emptied (DISCARD ALL), so that nothing of one caller
is left for the next. When a client goes away, its query is cancelled."""
import asyncio
import contextlib

import psycopg
import psycopg_pool

from .problem import Problem, problem_of

SET_UP = "SELECT pg_catalog.set_config('answer_eval.tenant', %s, {local}), pg_catalog.set_config('statement_timeout', %s, {local})," \
         " pg_catalog.set_config('role', %s, {local})"


async def _discard(connection):
    await connection.set_autocommit(True)
    await connection.execute("DISCARD ALL")
    await connection.set_autocommit(False)


async def _configure(connection):
    connection.prepare_threshold = None


class Database:
    """A pool, and the two ways of asking it."""

    def __init__(self, settings):
        self.limits = settings.limits
        self.pool = psycopg_pool.AsyncConnectionPool(
            settings.dsn, min_size=1, max_size=self.limits.connections, max_waiting=self.limits.waiting, open=False,
            timeout=self.limits.waiting_seconds, configure=_configure, reset=_discard,
            kwargs={"fallback_application_name": "answer_gateway"})

    @contextlib.asynccontextmanager
    async def _connection(self):
        try:
            async with self.pool.connection() as connection:
                yield connection
        except psycopg_pool.TooManyRequests as error:
            raise Problem(503, "Too many requests wait already.", headers={"Retry-After": "1"}) from error
        except psycopg_pool.PoolTimeout as error:
            raise Problem(503, "No connection to the database became free in time.", headers={"Retry-After": "1"}) from error
        except psycopg.Error as error:
            raise problem_of(error) from error

    async def rows(self, caller, query, values=()):
        """The rows of one statement, which is a transaction of its own."""
        async with self._connection() as connection, connection.transaction():
            await connection.execute(SET_UP.format(local="true"), (caller.tenant, str(self.limits.statement_ms), caller.role))
            return await _interruptible(connection, query, values)

    async def value(self, caller, query, values=()):
        """The first column of its one row; None where there is no row."""
        rows = await self.rows(caller, query, values)
        return rows[0][0] if rows else None

    async def plain(self, query):
        """The rows of a statement about the database itself, as the gateway's own role."""
        async with self._connection() as connection, connection.transaction():
            return await _fetch(connection, query, ())

    async def procedure(self, caller, query, values=()):
        """The first column of what a procedure gives that commits by itself."""
        async with self._connection() as connection:
            await connection.set_autocommit(True)
            await connection.execute(SET_UP.format(local="false"), (caller.tenant, str(self.limits.plan_ms), caller.role))
            rows = await _interruptible(connection, query, values)
            return rows[0][0] if rows else None


async def _interruptible(connection, query, values):
    """Runs a statement; where the task is cancelled, so is the query, and the connection is good afterwards."""
    work = asyncio.ensure_future(_fetch(connection, query, values))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        await asyncio.to_thread(connection.cancel)
        with contextlib.suppress(psycopg.Error):
            await work
        raise


async def _fetch(connection, query, values):
    cursor = await connection.execute(query, values)
    return await cursor.fetchall()
