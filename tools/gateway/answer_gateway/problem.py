"""Errors in the form of RFC 9457, from PostgreSQL's SQLSTATE, message, detail and hint.

The text of an internal error (class XX, or any that the caller did not cause) is not sent; it is only in the database's log."""
import json

import psycopg
from starlette.responses import Response

# SQLSTATE, or its class: HTTP status. Any other is an internal error.
STATUS = {
    "22": 400, "23": 409, "0A": 400, "42501": 403, "28": 403, "P0002": 404, "23001": 410, "54": 413, "55": 409, "40": 409, "57014": 504,
    "53": 503, "57": 503, "08": 503, "25": 409, "P0001": 400, "42883": 501, "3F": 501,
}
TITLE = {
    400: "The request is wrong", 403: "This may not be done", 401: "Nobody is known who asks", 404: "There is no such thing",
    405: "This address does not take this method", 406: "This cannot be given in that form", 408: "The request did not arrive in time",
    409: "The state of things does not allow it", 410: "It was forgotten", 413: "The request is too large", 415: "The request is of another type",
    500: "The server has failed", 501: "The database has no such function", 503: "The database cannot be asked now",
    499: "The client has gone away", 504: "The answer took too long",
}


class Problem(Exception):
    """An error that is sent instead of an answer."""

    def __init__(self, status, detail, *, hint=None, sqlstate=None, more=None, headers=None):
        super().__init__(detail)
        self.status = status
        self.headers = headers or {}
        self.body = {"type": f"tag:answer_eval,2026:sqlstate:{sqlstate}" if sqlstate else "about:blank",
                     "title": TITLE.get(status, "The request has failed"), "status": status, "detail": detail}
        if sqlstate:
            self.body["sqlstate"] = sqlstate
        if more:
            self.body["context"] = more
        if hint:
            self.body["hint"] = hint

    def response(self):
        """The HTTP response."""
        return Response(json.dumps(self.body, ensure_ascii=False), self.status, self.headers, "application/problem+json")


def status_of(sqlstate):
    """The HTTP status for a SQLSTATE."""
    return STATUS.get(sqlstate) or STATUS.get(sqlstate[:2]) or 500


def problem_of(error):
    """The Problem for an error of the database."""
    sqlstate = error.sqlstate
    if sqlstate is None and isinstance(error, psycopg.DataError):
        return Problem(400, "A text has a character that no text of the database can have (NUL).")
    if sqlstate is None:
        return Problem(503, "The database cannot be reached.", headers={"Retry-After": "1"})
    status = status_of(sqlstate)
    headers = {"Retry-After": "1"} if status == 503 or sqlstate[:2] == "40" else None
    if status in (500, 503):
        return Problem(status, "The database has failed; its log says why." if status == 500 else "The database cannot be asked now.",
                       sqlstate=sqlstate, headers=headers)
    diagnostic = error.diag if isinstance(error, psycopg.Error) else None
    return Problem(status, diagnostic.message_primary or str(error), hint=diagnostic.message_hint, sqlstate=sqlstate,
                   more=diagnostic.message_detail, headers=headers)
