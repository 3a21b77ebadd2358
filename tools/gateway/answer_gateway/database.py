"""Runs one transaction per request, in the role and for the tenant of the caller, with a time limit.

Values are parameters. No statement is prepared, because a tenant's function can read the texts of prepared
statements of its session. A connection that is returned is reset (DISCARD ALL), so that nothing of one caller
is left for the next. JSON stays the text that the database wrote; it is not parsed here.

Taking a connection, using it and returning it is one task that is never cancelled, because that would lose the
connection. When a client goes away, its query is cancelled, and the task ends by itself."""
import asyncio
import contextlib

import psycopg
import psycopg_pool
from psycopg.types.string import TextLoader

from .problem import Problem, problem_of

SET_UP = "SELECT pg_catalog.set_config('answer_eval.tenant', %s, {local}), pg_catalog.set_config('statement_timeout', %s, {local})," \
         " pg_catalog.set_config('role', %s, {local})"


async def _discard(connection):
    await connection.set_autocommit(True)
    await connection.execute("DISCARD ALL")
    await connection.set_autocommit(False)


async def _configure(connection):
    connection.prepare_threshold = None
    # as text: parsing numbers in Python could change what was signed
    connection.adapters.register_loader("jsonb", TextLoader)


class Database:
    """A pool of connections, and the ways to use it."""

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

    async def _apart(self, script):
        """The result of script(connection), which runs in a task of its own."""
        held = {}

        async def whole():
            async with self._connection() as connection:
                if "gone" in held:
                    return None
                held["connection"] = connection
                try:
                    return await script(connection)
                finally:
                    del held["connection"]
                    if "cancel" in held:
                        # a late cancel must not hit the next query
                        await asyncio.wait({held["cancel"]})

        task = asyncio.ensure_future(whole())
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            held["gone"] = True
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            if "connection" in held:
                held["cancel"] = asyncio.get_running_loop().run_in_executor(None, held["connection"].cancel)
            raise

    async def _set_up(self, connection, caller, local, milliseconds):
        try:
            await connection.execute(SET_UP.format(local=local), (caller.tenant, str(milliseconds), caller.role))
        except psycopg.errors.InvalidParameterValue as error:
            raise Problem(500, "The gateway's settings name a role that the database does not have.") from error

    async def rows(self, caller, query, values=(), keep=None):
        """The rows of one statement in a transaction of its own, which is rolled back if keep(rows) is false."""
        async def script(connection):
            async with connection.transaction() as transaction:
                await self._set_up(connection, caller, "true", self.limits.statement_ms)
                rows = await _fetch(connection, query, values)
                if keep is not None and not keep(rows):
                    raise psycopg.Rollback(transaction)
            return rows
        return await self._apart(script)

    @contextlib.asynccontextmanager
    async def alone(self, name):
        """Yield whether this process holds the lock of a name, which only one process can hold at a time."""
        async with self._connection() as connection:
            await connection.set_autocommit(True)
            rows = await _fetch(connection, "SELECT pg_catalog.pg_try_advisory_lock(pg_catalog.hashtextextended(%s, 0))", (name,))
            yield rows[0][0]

    async def value(self, caller, query, values=()):
        """The first column of the first row; None if there is no row."""
        rows = await self.rows(caller, query, values)
        return rows[0][0] if rows else None

    async def plain(self, query):
        """The rows of a statement about the database itself, as the gateway's own role."""
        async def script(connection):
            async with connection.transaction():
                await connection.execute("SELECT pg_catalog.set_config('statement_timeout', %s, true)", (str(self.limits.statement_ms),))
                return await _fetch(connection, query, ())
        return await self._apart(script)

    async def procedure(self, caller, query, values=()):
        """The first column of the result of a procedure that commits by itself."""
        async def script(connection):
            await connection.set_autocommit(True)
            await self._set_up(connection, caller, "false", self.limits.plan_ms)
            return await _fetch(connection, query, values)
        rows = await self._apart(script)
        return rows[0][0] if rows else None


async def _fetch(connection, query, values):
    cursor = await connection.execute(query, values)
    return await cursor.fetchall()
