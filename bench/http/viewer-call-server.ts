// The whole server with one subscribe token, which has a restriction for every rule.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../server/config/config.js';
import { createStreamServer } from '../../server/composition/stream-server.js';
import { reportCpu } from './http-process.js';

const dataDir = mkdtempSync(join(tmpdir(), 'streamgate-bench-'));
const config = readConfig({ HOST: '127.0.0.1', PORT: '0', MEDIA_UDP_PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
const server = await createStreamServer(config);
await server.accounts.ensureFirstAccount();
const { token } = await server.tokens.create(
  { accountId: 'main', kind: 'subscribe' },
  {
    label: 'bench',
    streams: [{ streamName: 'key.*', isRegex: true }],
    expires: 86_400,
    allowedOrigins: ['*.customer.example', 'https://customer.example:8443'],
    allowedIpAddresses: ['192.0.2.1', '2001:db8::/32', '127.0.0.0/8'],
  },
);
const { port } = await server.listen();
reportCpu(
  {
    url: `http://127.0.0.1:${port}/api/director/subscribe`,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      origin: 'https://live.customer.example',
    },
    body: JSON.stringify({ streamName: 'keynote', streamAccountId: 'main' }),
  },
  async () => {
    await server.close();
    rmSync(dataDir, { recursive: true });
  },
);
