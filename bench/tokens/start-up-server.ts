// Starts the whole server once on an existing data folder, and sends the cost of the start.
import { readConfig } from '../../server/config/config.js';
import { createStreamServer } from '../../server/composition/stream-server.js';

/** The cost of a start, from our first statement until the server accepts connections. */
export interface StartUp {
  readonly ms: number;
  /** User and system time of all threads of this process. */
  readonly cpuMs: number;
  /** Memory after a garbage collection, on the heap and outside of it. */
  readonly heapBytes: number;
  readonly residentBytes: number;
  /** The longest block of the event loop. It matters when the server is mounted in another application. */
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
const server = await createStreamServer(config);
await server.listen();
const ms = performance.now() - began;
const { user, system } = process.cpuUsage(cpuBefore);
clearInterval(timer);
recordPause();
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
