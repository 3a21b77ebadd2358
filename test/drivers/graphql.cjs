// Tests what a GraphQL client sees of the schema api: graphql.cjs PORT MUTATION QUERY. Prints `ok NAME` or `not ok NAME: why`.
'use strict';
const fs = require('fs');
const [port, mutationFile, queryFile] = process.argv.slice(2);

function is(name, have, want) {
	const [a, b] = [JSON.stringify(have), JSON.stringify(want)];
	console.log(a === b ? `ok ${name}` : `not ok ${name}: it is ${a}, not ${b}`);
}

async function post(query, variables) {
	const response = await fetch(`http://localhost:${port}/graphql`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ query, variables }),
	});
	return response.json();
}

async function main() {
	const mutation = fs.readFileSync(mutationFile, 'utf8');
	const query = fs.readFileSync(queryFile, 'utf8');

	const names = (await post('{ __schema { queryType { fields { name } } mutationType { fields { name } } } }')).data.__schema;
	is('queries are those of the schema api', names.queryType.fields.map((f) => f.name).filter((n) => !/^(query|node|nodeId)$/.test(n)).sort(),
		['coverage', 'debugConflicts', 'debugDecision', 'debugRetrieval', 'documents', 'health', 'keys', 'receipt', 'summary', 'validate', 'verify']);
	is('mutations are those that make something', names.mutationType.fields.map((f) => f.name).sort(), ['answer', 'grounded', 'retrieve']);

	const request = { checks: [{ id: 'modern', tool: 'postgres_server', expect: { op: 'semver_gte', value: '15' } }] };
	const receipt = (await post(mutation, { request })).data.answer.json;
	is('a receipt comes back', [receipt.schema, receipt.verdict, receipt.checks.length], ['answer/v1', 'supported', 1]);

	const { data } = await post(query, { id: receipt.receipt_id, document: receipt });
	is('it is stored as it came', data.receipt.signature, receipt.signature);
	is('it verifies after two parsers', [data.verify.ok, Object.keys(data.keys).includes(receipt.signature.key_id)], [true, true]);
	is('it has a summary', /^Supported \(confidence 0\.8\): "modern" observed .*: semver_gte 15 holds\.$/.test(data.summary), true);
	is('coverage lists tools', JSON.stringify(data.coverage).includes('postgres_server'), true);

	const changed = { ...receipt, verdict: 'contradicted' };
	is('a changed one does not verify', (await post(query, { id: 'ans_0000000000000000', document: changed })).data.verify.ok, false);
	is('an unknown id is null', (await post(query, { id: 'ans_0000000000000000', document: receipt })).data.receipt, null);

	const refused = (await post(mutation, { request: { checks: [] } })).errors[0];
	is('an error has its SQLSTATE', (refused.extensions && refused.extensions.exception || refused).errcode, '22023');
}

main().catch((error) => {
	console.log(`not ok the client ends: ${error.stack}`);
});
