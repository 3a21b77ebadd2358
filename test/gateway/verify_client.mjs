// Verifies documents with the JavaScript client of DF-VERIFY/1, which fetches the keys itself.
//
//     node verify_client.mjs INDEX.JS BASE <texts.json      reads an array of texts, prints an array of booleans

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const { verify } = await import(pathToFileURL(resolve(process.argv[2])));
const verdicts = [];
for (const text of JSON.parse(readFileSync(0, 'utf8'))) verdicts.push((await verify(text, { base: process.argv[3] })).ok);
console.log(JSON.stringify(verdicts));
