// Starts the whole server on a data folder that is there, once, and tells what that took.
import { readConfig } from '../../server/config/config.js';
import { createStreamServer } from '../../server/stream-server.js';

/** What a start took, from the first line of ours to the port that takes connections. */
export interface StartUp {
  readonly ms: number;
  /** User and system together, of this process and all its threads. */
  readonly cpuMs: number;
  /** What it keeps when all garbage is gone, of the heap and beside it. */
  readonly heapBytes: number;
  readonly residentBytes: number;
  /** The longest time that nothing else in the process had a turn: the server may be mounted in somebody's app. */
  readonly longestPauseMs: number;
}

const collectGarbage = globalThis.gc!;
const config = readConfig({
  HOST: '127.0.0.1',
  PORT: '0',
  MEDIA_UDP_PORT: '0',
  DATA_DIR: process.argv[2],
  LOG_LEVEL: 'warn',
});
collectGarbage();
const before = process.memoryUsage();
let turn = performance.now();
let longestPauseMs = 0;
const takeTurn = () => {
  const now = performance.now();
  longestPauseMs = Math.max(longestPauseMs, now - turn);
  turn = now;
};
const turns = setInterval(takeTurn, 1);
const cpuBefore = process.cpuUsage();
const began = performance.now();
const server = await createStreamServer(config);
await server.listen();
const ms = performance.now() - began;
const { user, system } = process.cpuUsage(cpuBefore);
clearInterval(turns);
takeTurn();
collectGarbage();
const { heapUsed, external, rss } = process.memoryUsage();
const startUp: StartUp = {
  ms,
  cpuMs: (user + system) / 1_000,
  heapBytes: heapUsed + external - before.heapUsed - before.external,
  residentBytes: rss,
  longestPauseMs,
};
process.send!(startUp);
await server.close();
process.disconnect();
