import { randomBytes } from 'node:crypto';
import type { Cleanup } from './cleanup.js';
import { freePort } from './free-port.js';
import { startServer, type ServerProcess } from './server-process.js';
import { streamServer, type TestServer } from './stream-server.js';

/** Of all servers on one database. */
const ENCRYPTION_KEY = randomBytes(32).toString('hex');

/** A built server in a process of its own, which clients reach at its own address. */
export async function clusterProcess(databaseUrl: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const media = { MEDIA_HOST: '127.0.0.1' };
  const own = { PORT: String(port), NODE_URL: url, DRAIN_WITHIN_S: '0', ...media };
  return await startServer({ DATABASE_URL: databaseUrl, ENCRYPTION_KEY, ...own, ...env });
}

/** A server in this process with the fake media engine, which clients reach at its own address. */
export async function clusterNode(
  cleanup: Cleanup,
  databaseUrl: string,
  { startsOn = Date.now(), env = {} }: { readonly startsOn?: number; readonly env?: Record<string, string> } = {},
): Promise<TestServer> {
  const port = await freePort();
  const own = { PORT: String(port), NODE_URL: `http://127.0.0.1:${port}` };
  return await streamServer(
    cleanup,
    { DATABASE_URL: databaseUrl, ENCRYPTION_KEY, ...own, ...env },
    { startsOn, isRunning: true },
  );
}
