"""An HTTP gateway for answer_eval.

It only gives the functions of the extension a URL. Each request is one transaction, in the role and for the
tenant of the caller, and the caller gets what the database returns. The gateway keeps no state, has no rules
of its own and signs nothing.

    settings.py   the operator's configuration
    caller.py     the caller of a request: a role and a tenant
    database.py   one transaction per request; a query is cancelled when its client goes away
    problem.py    errors (RFC 9457)
    api.py        the endpoints
    stream.py     a trace as a stream while it grows
    mcp.py        the endpoint for agents: Model Context Protocol
    adapters.py   the client of other servers: tools, judges, models of embeddings
    judging.py    answers that need such judges
    plans.py      plans that call such tools
    worker.py     judging and embedding in the background
"""
