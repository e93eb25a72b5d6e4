import { pino } from 'pino';
import { readConfig } from '../../server/config/config.js';
import { createStreamServer } from '../../server/composition/stream-server.js';
import type { UpstreamFields } from '../../server/upstream/upstream.js';
import type { Cleanup } from './cleanup.js';
import { dataFolder } from './data-folder.js';

/** A second Streamgate with its own media engine, and what another server needs to have it carry the media. */
export async function upstreamServer(cleanup: Cleanup) {
  const DATA_DIR = await dataFolder(cleanup);
  const config = readConfig({ HOST: '127.0.0.1', PORT: '0', MEDIA_UDP_PORT: '0', DATA_DIR });
  const server = await createStreamServer(config, { log: pino({ level: 'silent' }) });
  cleanup.after(() => server.close());
  await server.accounts.ensureFirstAccount();
  const origin = `http://127.0.0.1:${(await server.listen()).port}`;
  const streams = [{ streamName: '.*', isRegex: true }];
  const tokenOf = async (kind: 'publish' | 'subscribe') =>
    (await server.tokens.create({ accountId: 'main', kind }, { label: '', streams })).token;
  const upstream: Pick<UpstreamFields, 'software' | 'urls' | 'tokens'> = {
    software: 'streamgate',
    urls: {
      publish: `${origin}/api/whip/{name}`,
      view: `${origin}/api/whep/main/{name}`,
      status: `${origin}/api/live`,
    },
    tokens: {
      publish: await tokenOf('publish'),
      view: await tokenOf('subscribe'),
      status: await server.secrets.create('main'),
    },
  };
  const apiSecret = upstream.tokens.status!;
  return {
    server,
    origin,
    upstream,
    /** How many sessions of a stream are open there, by role. */
    async openSessions(streamName: string): Promise<Readonly<Record<'publisher' | 'viewer', number>>> {
      const response = await fetch(`${origin}/api/streams/${streamName}/sessions?state=open&itemsOnPage=100`, {
        headers: { authorization: `Bearer ${apiSecret}` },
      });
      const { data }: { data: readonly { readonly role: string }[] } = await response.json();
      const count = (wanted: string) => data.filter(({ role }) => role === wanted).length;
      return { publisher: count('publisher'), viewer: count('viewer') };
    },
  };
}
