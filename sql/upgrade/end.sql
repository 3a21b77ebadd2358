
-- All there is waits for the log; the next sealing takes it.
INSERT INTO answer.unsealed (receipt_id, issued_at, digest)
SELECT r.receipt_id, r.issued_at,
	pg_catalog.decode(pg_catalog.substr(@extschema@.answer_digest(r.body OPERATOR(pg_catalog.-) 'anchor'), 8), 'hex')
FROM answer.receipt r;
