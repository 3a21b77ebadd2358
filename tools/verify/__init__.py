"""Verifies receipts, log proofs and checkpoints of answer_eval, without a database.

This is a second implementation of the rules of doc/spec, for auditors. It shares no code with the extension and trusts nothing
but its input, the public keys that it is given and the openssl command (OpenSSL 3), which does all cryptography but
hashing. Where there is no such command, Ed25519 is computed here, and time-stamps are not verified. Nothing beyond
Python's standard library (3.9 or newer) is needed.

A folder of tools/verify has the name of the page of doc/spec whose rules it checks, and a module says at its top which
sections. Beside these folders, keys, timestamp and log have what a verifier is given, time-stamp tokens, and the log
(doc/spec/df-verify-1.md §1.2, §1.3 and §3.4; doc/spec/document.md §7); command has the command line. A module takes
names only from modules that join.sh lists before it. join.sh writes all of them as one file.

Whatever a document has in it, the answer is a report and never a traceback. Where the rules leave a document two
spellings that nothing protects, only one is accepted. Work is linear in the input, but for the sorting of keys and the
comparing of chunks, each with each.
"""
