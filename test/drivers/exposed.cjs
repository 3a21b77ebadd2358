// Prints the fields that PostGraphile makes from a schema, one per line: exposed.cjs SCHEMA EXTENSIONS(0|1).
'use strict';
const { Pool } = require('pg');
const { createPostGraphileSchema } = require('postgraphile');

async function main() {
	const pool = new Pool();
	const schema = await createPostGraphileSchema(pool, process.argv[2],
		{ ignoreRBAC: false, dynamicJson: true, includeExtensionResources: process.argv[3] === '1' });
	for (const type of [schema.getQueryType(), schema.getMutationType()])
		if (type) Object.keys(type.getFields()).forEach((name) => console.log(name));
	await pool.end();
}

main();
