import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Systems give ports from 32768 on to sockets that name none: such a socket could take a port that was free before. */
const PORTS = [20_000, 32_000] as const;
const ATTEMPTS = 100;

/** A port of the loopback address that no server listens on now. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(...PORTS);
    if (await isFree(port)) return port;
  }
  throw new Error('no port is free');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
