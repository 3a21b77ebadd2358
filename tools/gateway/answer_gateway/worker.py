"""The worker: sends pairs that decisions still need judged to the judges, and embeds chunks that lack an embedding.

The database lists the work, and results are stored batch by batch: a worker that is killed leaves nothing half done,
and another one goes on. Only one worker at a time does one kind of work for a tenant, by an advisory lock of its
session. A server that is down is tried again after a pause that doubles each time. A text that a server cannot handle
is put off, so that it does not block others."""
import asyncio
import json
import logging
import random
import signal

from .adapters import Adapters, AdapterError, Unreachable, Wrong
from .database import Database
from .judging import ask_judge, batches, limits_of
from .problem import Problem
from .settings import Caller

LOG = logging.getLogger("answer_gateway")
SHORTEST, LONGEST = 1.0, 60.0       # pause between attempts at a server that is down
PUT_OFF = 600.0                     # seconds until a text that a server cannot handle is tried again
MOST = 1000                         # entries that the database lists at once
PENDING = "SELECT kind, pair, a, b FROM answer_judge_pending(%s, %s)"
LACKING = "SELECT chunk_id, text, content_hash FROM answer_embedding_pending(%s, %s)"
EMBED = """SELECT pg_catalog.count(answer_chunk_embed(c.chunk_id, c.embedding, c.content_hash))
FROM pg_catalog.jsonb_to_recordset(%s::jsonb) AS c (chunk_id text, embedding real[], content_hash text)"""


class PutOff:
    """Keys that are not tried again for a while."""

    def __init__(self):
        self.until = {}

    def add(self, key):
        """Put a key off."""
        self.until[key] = asyncio.get_running_loop().time() + PUT_OFF

    def has(self, key):
        """Whether a key is put off."""
        return self.until.get(key, 0.0) > asyncio.get_running_loop().time()

    def most(self, wanted):
        """How many entries to list so that `wanted` of them are not put off, up to MOST."""
        now = asyncio.get_running_loop().time()
        self.until = {key: until for key, until in self.until.items() if until > now}
        return min(MOST, wanted + len(self.until))


async def judge_some(gateway, adapter, tenant, put_off):
    """Send some of the pending pairs to a judge. Returns how many were judged."""
    most_pairs, most_chars = await limits_of(gateway, adapter, tenant)
    rows = await gateway.database.rows(Caller(adapter.role, tenant), PENDING, (adapter.name, put_off.most(most_pairs * adapter.parallel)))
    pairs = [{"kind": kind, "pair": pair, "a": a, "b": b, "recorded": ("kind", "pair")} for kind, pair, a, b in rows if not put_off.has((tenant, pair))]
    some = batches(pairs, most_pairs, most_chars)
    for pair in pairs:
        put_off.add((tenant, pair["pair"]))     # removed again once judged; stays if it is too long, left out or refused
    told = await asyncio.gather(*(ask_judge(gateway, adapter, tenant, kind, batch) for kind, batch in some), return_exceptions=True)
    done, down = 0, None
    for (_, batch), one in zip(some, told):
        if isinstance(one, Unreachable) or isinstance(one, Problem) and one.status == 503:
            down = one
            for pair in batch:
                put_off.until.pop((tenant, pair["pair"]), None)
        elif isinstance(one, BaseException):
            if not isinstance(one, (AdapterError, Problem)):
                raise one
            LOG.warning("the judge %s: %r", adapter.name, str(one))
        else:
            done += len(one[0])
            for pair in one[0]:
                put_off.until.pop((tenant, pair["pair"]), None)
            if one[1] is not None:
                LOG.warning("the judge %s: %r", adapter.name, str(one[1]))
    if down is not None:
        raise down
    return done


async def embed_some(gateway, adapter, tenant, put_off):
    """Embed some of the chunks that lack an embedding. Returns how many were stored."""
    caller = Caller(adapter.role, tenant)
    rows = await gateway.database.rows(caller, LACKING, (adapter.dimensions, put_off.most(adapter.batch)))
    rows = [row for row in rows if not put_off.has((tenant, row[0], row[2]))][:adapter.batch]
    if not rows:
        return 0
    try:
        embeddings = await gateway.adapters.embed(adapter, [row[1] for row in rows])
    except Wrong as error:
        LOG.warning("the embeddings: %s", error)
        embeddings = [await _embed_alone(gateway, adapter, row[1]) for row in rows] if len(rows) > 1 else [None]
    chunks = [{"chunk_id": row[0], "embedding": embedding, "content_hash": row[2]} for row, embedding in zip(rows, embeddings)]
    for row, embedding in zip(rows, embeddings):
        if embedding is None:
            put_off.add((tenant, row[0], row[2]))
    return await _store(gateway, caller, [chunk for chunk in chunks if chunk["embedding"] is not None], put_off)


async def _embed_alone(gateway, adapter, text):
    try:
        return (await gateway.adapters.embed(adapter, [text]))[0]
    except Wrong:
        return None


async def _store(gateway, caller, chunks, put_off):
    """Store embeddings in one transaction; if one is refused, each in its own."""
    if not chunks:
        return 0
    try:
        return await gateway.database.value(caller, EMBED, (json.dumps(chunks),))
    except Problem as problem:
        if problem.status >= 500 or len(chunks) == 1:
            if problem.status < 500:
                LOG.warning("the chunk %r: %r", chunks[0]["chunk_id"], str(problem))
                put_off.add((caller.tenant, chunks[0]["chunk_id"], chunks[0]["content_hash"]))
                return 0
            raise
    return sum([await _store(gateway, caller, [chunk], put_off) for chunk in chunks])


class Worker:
    """Does all pending work."""

    def __init__(self, settings):
        self.settings = settings
        self.database = Database(settings)
        self.stopping = asyncio.Event()
        self.adapters = None

    async def _pause(self, seconds):
        try:
            await asyncio.wait_for(self.stopping.wait(), seconds)
        except asyncio.TimeoutError:
            pass

    async def _until_stopped(self, work):
        """The result of work; None if the worker is told to stop first."""
        task, end = asyncio.ensure_future(work), asyncio.ensure_future(self.stopping.wait())
        try:
            await asyncio.wait({task, end}, return_when=asyncio.FIRST_COMPLETED)
            return task.result() if task.done() else None
        finally:
            for one in (task, end):
                one.cancel()
            await asyncio.gather(task, end, return_exceptions=True)

    async def _for_tenants(self, what, adapter, some, put_off):
        """One round of one kind of work for all tenants. Returns how much was done."""
        done, trouble = 0, None
        for tenant in self.settings.tenants:
            if self.stopping.is_set():
                break
            try:
                async with self.database.alone(f"answer_gateway {what} {adapter.name} {tenant}") as is_alone:
                    if is_alone:
                        done += await self._until_stopped(some(self, adapter, tenant, put_off)) or 0
            except (Wrong, Problem) as error:
                if isinstance(error, Problem) and error.status == 503:
                    raise
                LOG.warning("%s %s for %r: %r", what, adapter.name, tenant, str(error))
                trouble = error     # only of this tenant; go on with the others
        if trouble is not None and not done:
            raise trouble
        return done

    async def _keep_at(self, what, adapter, some, once):
        """Do one kind of work until the worker is told to stop, or with `once` until nothing is left. Returns whether nothing failed."""
        put_off, wait = PutOff(), SHORTEST
        while not self.stopping.is_set():
            try:
                done = await self._for_tenants(what, adapter, some, put_off)
                wait = SHORTEST
            except (AdapterError, Problem) as error:
                LOG.warning("%s %s: %r", what, adapter.name, str(error))
                if once:
                    return False
                await self._pause(wait * random.uniform(0.5, 1.0))
                wait = min(wait * 2, LONGEST)
                continue
            if done:
                LOG.info("%s %s: %d", what, adapter.name, done)
            elif once:
                return True
            else:
                await self._pause(self.settings.idle_seconds)
        return True

    async def run(self, once):
        """Run the worker. Returns whether all went well."""
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, self.stopping.set)
        LOG.info("the worker has started")
        self.adapters = Adapters()
        await self.database.pool.open()
        try:
            things = [("judge", adapter, judge_some) for adapter in self.settings.judges.values()]
            if self.settings.embeddings:
                things.append(("embed", self.settings.embeddings, embed_some))
            return all(await asyncio.gather(*(self._keep_at(*thing, once) for thing in things)))
        finally:
            await self.adapters.close()
            await self.database.pool.close()
