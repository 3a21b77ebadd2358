"""A trace that is read while it grows: server-sent events.

Each event of the trace is one with its number as id, so that a reader that comes back (Last-Event-ID) misses
none and gets none twice. The last one, `document`, is the signed document of the plan. Nothing is remembered
between two looks at the database: any process of any gateway can go on."""
import asyncio

from .problem import Problem

SHORTEST, LONGEST, ALIVE = 0.1, 2.0, 15.0
END = "end"     # the id of the last event


async def events(database, caller, trace_id, after):
    """(seq, text) of the events behind a number."""
    return await database.rows(caller, "SELECT (e ->> 'seq')::integer, e::text FROM answer_trace(%s, %s::integer) AS e", (trace_id, after))


class Follow:
    """One reader of one trace."""

    def __init__(self, database, caller, trace_id, after, seconds, stopping):
        self.database, self.caller, self.trace_id, self.after, self.seconds = database, caller, trace_id, after, seconds
        self.stopping = stopping
        self.found = []

    async def begin(self):
        """The first look: raises Problem 404 where there is nothing to read."""
        self.found = await events(self.database, self.caller, self.trace_id, self.after)
        if not self.found:
            await self._document_id()

    async def _document_id(self):
        return await self.database.value(self.caller, "SELECT answer_trace_verify(%s) ->> 'receipt_id'", (self.trace_id,))

    async def lines(self):
        """The text of the stream."""
        clock = asyncio.get_running_loop().time
        end, spoke, pause = clock() + self.seconds, clock(), SHORTEST
        yield "retry: 1000\n\n"
        while clock() < end and not self.stopping.is_set():
            for seq, text in self.found:
                self.after = seq
                yield f"id: {seq}\nevent: step\ndata: {text}\n\n"
            if self.found:
                spoke, pause = clock(), SHORTEST
            else:
                for line in await self._last():
                    yield line
                    if line.startswith(f"id: {END}"):
                        return
                pause = min(pause * 1.5, LONGEST)
            if clock() - spoke > ALIVE:
                spoke = clock()
                yield ": alive\n\n"
            await asyncio.sleep(pause)
            try:
                self.found = await events(self.database, self.caller, self.trace_id, self.after)
            except Problem as problem:
                if problem.status != 503:
                    raise
                self.found = []

    async def _last(self):
        """What came in between and the document, once there is one; else nothing, and nothing while the database is away."""
        try:
            document_id = await self._document_id()
            if document_id is None:
                return []
            found = await events(self.database, self.caller, self.trace_id, self.after)
            text = await self.database.value(self.caller, "SELECT answer_receipt(%s)::text", (document_id,))
        except Problem as problem:
            if problem.status != 503:
                raise
            return []
        return [*(f"id: {seq}\nevent: step\ndata: {line}\n\n" for seq, line in found), f"id: {END}\nevent: document\ndata: {text}\n\n"]
