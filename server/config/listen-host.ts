import { once } from 'node:events';
import { createServer } from 'node:net';
import { ConfigError, configFaultText } from './config-error.js';
import type { Config } from './config.js';

/** Error codes of name lookups and `listen`, for an address that this machine does not have. */
const FAULTS: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'must be an address of this machine',
  EINVAL: 'must be an address of this machine',
  ENOTFOUND: 'must be a host name that can be looked up',
  EAI_AGAIN: 'must be a host name that can be looked up',
};

/**
 * Checks that this machine has the addresses to listen on, before the server creates or starts anything.
 * @throws {ConfigError}
 */
export async function checkListenHosts({
  host,
  mediaHost,
  rtmpHost,
}: Pick<Config, 'host' | 'mediaHost' | 'rtmpHost'>): Promise<void> {
  const faults = [await faultOf('HOST', host)];
  if (mediaHost !== host) faults.push(await faultOf('MEDIA_HOST', mediaHost));
  if (rtmpHost !== host) faults.push(await faultOf('RTMP_HOST', rtmpHost));
  const found = faults.filter((fault) => fault !== undefined);
  if (found.length > 0) throw new ConfigError(found);
}

async function faultOf(variable: string, host: string | undefined): Promise<string | undefined> {
  if (host === undefined) return undefined;
  const server = createServer();
  try {
    server.listen({ host, port: 0, exclusive: true });
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const message = FAULTS[code];
    if (message === undefined) throw error;
    return configFaultText(variable, message, host);
  } finally {
    server.close();
  }
}
