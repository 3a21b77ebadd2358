"""Verifies receipts, log proofs and checkpoints of answer_eval, without a database.

This is a second implementation of the rules of doc/spec, for auditors. It shares no code with the extension and trusts
only the public keys that it is given and the openssl command (OpenSSL 3), which does all cryptography except
hashing. Without that command, Ed25519 is computed here and time-stamps are not verified. Nothing beyond
Python's standard library (3.9 or newer) is needed.

A folder of tools/verify is named after the page of doc/spec whose rules it checks, and each module names the sections at
its top. Three more folders hold the keys and roots that a verifier is given (keys), time-stamp tokens (timestamp), and the
log (log): doc/spec/df-verify-1.md §1.2, §1.3 and §3.4; doc/spec/document.md §7. The command line is in command. A module
imports only from modules that join.sh lists before it. join.sh writes all of them as one file.

Any document, whatever is in it, gives a report and never a traceback. If the rules allow two spellings and no signature
tells them apart, only one is accepted. Work is linear in the input, except for sorting keys and comparing each pair of
chunks.
"""
