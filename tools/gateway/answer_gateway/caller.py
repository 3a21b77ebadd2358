"""Finds the caller, a role and a tenant, by a token or by a header that a trusted proxy sets.

A request with an unknown token or header value is refused; it does not become anonymous."""
import hashlib
import urllib.parse

from .problem import Problem


def _refuse_other_sites(settings, request):
    """Refuse requests from pages of other sites (Origin): they would act in the name of whoever views them."""
    for origin in request.headers.getlist("origin"):
        try:
            name = urllib.parse.urlsplit(origin).hostname
        except ValueError:
            name = None
        if name not in settings.sites:
            raise Problem(403, f"A page of {origin[:200]} may not ask here.", hint="The operator lists the sites that may in sites.")


def _refuse_other_hosts(settings, request):
    """Refuse unknown hosts (Host) for requests without a token: a page can make its own name resolve to this machine, and then sends no Origin."""
    for host in request.headers.getlist("host"):
        try:
            name = urllib.parse.urlsplit("//" + host).hostname
        except ValueError:
            name = None
        if name not in settings.sites:
            raise Problem(403, f"The host {host[:200]} is not known here.", hint="The operator lists the names by which the gateway may be asked in sites.")


def find_caller(settings, request):
    """The Caller of a request; raises Problem 401 if there is none, 403 for a page of another site."""
    _refuse_other_sites(settings, request)
    authorizations = request.headers.getlist("authorization")
    if authorizations:
        scheme, _, token = authorizations[0].partition(" ") if len(authorizations) == 1 else ("", "", "")
        digest = hashlib.sha256(token.strip().encode()).hexdigest()
        if scheme.lower() != "bearer" or digest not in settings.tokens:
            raise Problem(401, "The token is not known.", hint="Send Authorization: Bearer and a token that the operator has given out.")
        return settings.tokens[digest]
    if settings.header and settings.header.lower() in request.headers:
        values = request.headers.getlist(settings.header)
        if len(values) != 1 or values[0] not in settings.by_header:
            raise Problem(401, f"{settings.header} names nobody who may ask.", hint="The operator says in [header.role] who may.")
        return settings.by_header[values[0]]
    if settings.anonymous is None:
        raise Problem(401, "Nobody is named who asks.", hint="Send Authorization: Bearer and a token that the operator has given out.")
    _refuse_other_hosts(settings, request)
    return settings.anonymous
