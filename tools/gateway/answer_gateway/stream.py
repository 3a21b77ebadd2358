"""Streams a trace while it grows, as server-sent events.

Each event of the trace has its number as id, so a reader that reconnects (Last-Event-ID) misses none and gets
none twice. The last one, `document`, is the signed document of the plan. An event `pending`, without an id, says
that the plan waits for the application, and for which nodes. Nothing is kept between two queries, so any process
of any gateway can go on."""
import asyncio
import json

from .problem import Problem

SHORTEST, LONGEST, ALIVE = 0.1, 2.0, 15.0
END = "end"     # the id of the last event


async def events(database, caller, trace_id, after):
    """(seq, text) of the events after a number."""
    return await database.rows(caller, "SELECT (e ->> 'seq')::integer, e::text FROM answer_trace(%s, %s::integer) AS e", (trace_id, after))


async def state(database, caller, trace_id):
    """The state of a trace: (done, id of the document), (pending, the text of what it waits for) or (running, None)."""
    verified = json.loads(await database.value(caller, "SELECT answer_trace_verify(%s)::text", (trace_id,)))
    if verified["receipt_id"] is not None:
        return "done", verified["receipt_id"]
    if "pending" in verified:
        return "pending", json.dumps({"pending": verified["pending"], "expires_at": verified["expires_at"]})
    return "running", None


class Follow:
    """Follows one trace for one reader."""

    def __init__(self, database, caller, trace_id, after, seconds, stopping):
        self.database, self.caller, self.trace_id, self.after, self.seconds = database, caller, trace_id, after, seconds
        self.stopping = stopping
        self.found = []
        self.waits = None

    async def begin(self):
        """Read the first events; raises Problem 404 if the trace is unknown."""
        self.found = await events(self.database, self.caller, self.trace_id, self.after)
        if not self.found:
            await state(self.database, self.caller, self.trace_id)

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
        """The last events and the document, if the plan is done; `pending`, once, if it waits; nothing while the database is down."""
        try:
            stands, what = await state(self.database, self.caller, self.trace_id)
            if stands != "done":
                news = stands == "pending" and what != self.waits
                self.waits = what
                return [f"event: pending\ndata: {what}\n\n"] if news else []
            found = await events(self.database, self.caller, self.trace_id, self.after)
            text = await self.database.value(self.caller, "SELECT answer_receipt(%s)::text", (what,))
        except Problem as problem:
            if problem.status != 503:
                raise
            return []
        return [*(f"id: {seq}\nevent: step\ndata: {line}\n\n" for seq, line in found), f"id: {END}\nevent: document\ndata: {text}\n\n"]
