// A process with a server on the data folder that is named, and a viewer. Prints the address of the server when the
// viewer's session is open, and lasts until it is killed.
import { mock } from 'node:test';
import { SAVE_EVERY_MS } from '../../server/oversight/session-writer.js';
import { Cleanup } from './cleanup.js';
import { streamServer } from './stream-server.js';
import { websocketSessions } from './websocket-sessions.js';

mock.timers.enable({ apis: ['setInterval'] });
const server = await streamServer(new Cleanup(), { DATA_DIR: process.argv[2]! });
await websocketSessions(() => server).view();
mock.timers.tick(SAVE_EVERY_MS);
process.stdout.write(`${server.origin}\n`);
