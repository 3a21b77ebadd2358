"""An HTTP gateway for answer_eval.

It gives the functions of the extension an address, and nothing else: each request is one transaction, in
the role and for the tenant of whoever asks, and what the database says is what the caller gets. It keeps no
state, has no rule of its own and signs nothing.

    settings.py   what the operator has configured
    caller.py     who asks: a role and a tenant
    database.py   one request, one transaction; a client that goes away ends its query
    problem.py    errors, as RFC 9457 has them
    api.py        the addresses
    stream.py     a trace that is read while it grows
    mcp.py        the same for agents: Model Context Protocol
    adapters.py   servers that are asked: tools, judges, models of embeddings
    judging.py    answers whose judges are such servers
    plans.py      plans whose steps are such tools
    worker.py     what is judged and embedded later
"""
