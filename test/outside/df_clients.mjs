// Verifies texts with the JavaScript client in a given index.js: as text, parsed, and written again.
// Reads {keys, texts}, and writes [{text, parsed, rewritten, json}, ...].
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const { verify } = await import(pathToFileURL(resolve(process.argv[2])));
const { keys, texts } = JSON.parse(readFileSync(0, 'utf8'));
const results = [];
for (const text of texts) {
  const parsed = JSON.parse(text);
  const json = JSON.stringify(parsed);
  results.push({
    text: await verify(text, { jwks: keys }),
    parsed: await verify(parsed, { jwks: keys }),
    rewritten: await verify(json, { jwks: keys }),
    json,
  });
}
console.log(JSON.stringify(results));
