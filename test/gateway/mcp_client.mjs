// Calls the gateway as an agent does, with the official client of the Model Context Protocol.
//
//     node mcp_client.mjs FOLDER URL TOKEN      prints the answers as JSON

import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const installed = createRequire(resolve(process.argv[2]) + '/');
const load = (name) => import(pathToFileURL(installed.resolve(name)));
const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
const { StreamableHTTPClientTransport } = await load('@modelcontextprotocol/sdk/client/streamableHttp.js');

const client = new Client({ name: 'test', version: '1' });
const headers = { Authorization: `Bearer ${process.argv[4]}` };
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[3]), { requestInit: { headers } }));
const call = (name, given) => client.callTool({ name, arguments: given });
const told = { server: client.getServerVersion(), tools: (await client.listTools()).tools };
const question = 'What is the yearly rent for half a plot?';
told.check = await call('check', { checks: [{ tool: 'slow', args: { s: 0 }, expect: { op: 'eq', value: 1 } }] });
told.verify = await call('verify', { receipt: told.check.structuredContent });
told.ground = await call('ground', { question, answer: 'The yearly rent for half a plot is 54 euros.', citations: ['allotment#p0'] });
told.retrieve = await call('retrieve', { question, top_k: 2 });
told.answer = await call('answer', { question: 'What is the meaning of life?' });
told.refused = await call('check', { checks: [{ tool: 'slow', expectation: 1 }] });
told.unknown = await call('drop', {}).then(() => 'done', (error) => error.message);
await client.close();
console.log(JSON.stringify(told));
