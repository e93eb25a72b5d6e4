// Starts the whole server once on an existing data folder, and sends the cost of the start.
import { readConfig } from '../../server/config/config.js';
import { Session } from 'node:inspector/promises';
import { pino } from 'pino';
import { createStreamServer } from '../../server/composition/stream-server.js';
import { policyRequest, valueOf } from './policy-tokens.js';

/** The cost of a start. */
export interface StartUp {
  /** From our first statement until a viewer with the newest token is admitted. */
  readonly ms: number;
  /** Until all tokens are in memory. */
  readonly filledMs: number;
  /** User and system time of all threads of this process, until then. */
  readonly cpuMs: number;
  /** Memory at rest, on the heap and outside of it: after the collection by which an idle server returns what it has left. */
  readonly heapBytes: number;
  readonly residentBytes: number;
  /** The longest block of the event loop. It matters when the server is mounted in another application. */
  readonly longestPauseMs: number;
}

/** The server has so many in memory when it starts. */
const FEW = 10_000;
const collectGarbage = globalThis.gc!;
const config = readConfig({
  HOST: '127.0.0.1',
  PORT: '0',
  MEDIA_UDP_PORT: '0',
  DATA_DIR: process.argv[2],
  TRUSTED_PROXIES: '127.0.0.1',
});
collectGarbage();
const before = process.memoryUsage();
let lastTurn = performance.now();
let longestPauseMs = 0;
const recordPause = () => {
  const now = performance.now();
  longestPauseMs = Math.max(longestPauseMs, now - lastTurn);
  lastTurn = now;
};
const timer = setInterval(recordPause, 1);
const cpuBefore = process.cpuUsage();
const began = performance.now();
const count = Number(process.argv[3]);
const filled = Promise.withResolvers<void>();
const log = pino(
  { level: 'info' },
  {
    write: (line: string) => {
      if (line.includes('all tokens are in memory')) filled.resolve();
    },
  },
);
const server = await createStreamServer(config, { log });
const { port } = await server.listen();
const index = count - 1;
const { address, origin } = policyRequest(index, false);
const answer = await fetch(`http://127.0.0.1:${port}/api/director/subscribe`, {
  method: 'POST',
  headers: {
    authorization: `Bearer ${valueOf(index)}`,
    'content-type': 'application/json',
    'x-forwarded-for': address,
    ...(origin !== undefined && { origin }),
  },
  body: JSON.stringify({ streamName: `room-${index % 1_000}` }),
});
if (answer.status !== 200) throw new Error(`the viewer was refused: ${await answer.text()}`);
const ms = performance.now() - began;
if (count > FEW) await filled.promise;
const filledMs = performance.now() - began;
const { user, system } = process.cpuUsage(cpuBefore);
clearInterval(timer);
recordPause();
// As `SpareMemory` does some twenty seconds later.
const session = new Session();
session.connect();
await session.post('HeapProfiler.collectGarbage');
session.disconnect();
const { heapUsed, external, rss } = process.memoryUsage();
const startUp: StartUp = {
  ms,
  filledMs,
  cpuMs: (user + system) / 1_000,
  heapBytes: heapUsed + external - before.heapUsed - before.external,
  residentBytes: rss,
  longestPauseMs,
};
process.send!(startUp);
await server.close();
process.disconnect();
