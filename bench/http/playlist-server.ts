// The whole server with a broadcast of four hours that is being recorded, and a viewer with a token.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../server/config/config.js';
import { createStreamServer } from '../../server/composition/stream-server.js';
import { aPart, aRewindRecording, FakeRewindSource } from '../../test/support/rewind-recording.js';
import { reportCpu } from './http-process.js';

const SEGMENT_MS = 2_000;
const BROADCAST_MS = 4 * 3_600_000;

const dataDir = mkdtempSync(join(tmpdir(), 'streamgate-bench-'));
const config = readConfig({
  HOST: '127.0.0.1',
  PORT: '0',
  MEDIA_UDP_PORT: '0',
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
  HLS_CDN_URL: 'https://cdn.example.com',
});
const source = new FakeRewindSource();
const unused = (): Promise<never> => Promise.reject(new Error('only playlists are asked for'));
const packager = { initSegment: unused, segment: unused };
const server = await createStreamServer(config, { recordings: { source, packager } });
await server.accounts.ensureFirstAccount();
const streams = [{ streamName: 'keynote', isRegex: false }];
const { token } = await server.tokens.create(
  { accountId: 'main', kind: 'subscribe' },
  { label: 'bench', streams, allowedOrigins: ['*.customer.example'], allowedIpAddresses: ['127.0.0.0/8'] },
);

const startsAt = Date.now() - BROADCAST_MS;
const groupAt = (index: number) => ({ position: 100 + index * 1_000, timestampMs: index * SEGMENT_MS });
const groups = Array.from({ length: BROADCAST_MS / SEGMENT_MS }, (_, index) => groupAt(index));
// As of the recorder: the same list, to which groups are appended.
const parts = [aPart({ startsAt, groups })];
source.recordings = [aRewindRecording({ streamName: 'keynote', startedAt: startsAt, parts })];
const recorder = setInterval(() => groups.push(groupAt(groups.length)), SEGMENT_MS);

const { port } = await server.listen();
const origin = `http://127.0.0.1:${port}`;
const headers = { origin: 'https://live.customer.example' };
const answer = await fetch(`${origin}/api/hls/main/keynote`, {
  method: 'POST',
  headers: { ...headers, authorization: `Bearer ${token}` },
});
const { data } = (await answer.json()) as { data: { path: string } };
reportCpu({ url: `${origin}${data.path.replace('playlist.m3u8', 'live.m3u8')}`, method: 'GET', headers }, async () => {
  clearInterval(recorder);
  await server.close();
  rmSync(dataDir, { recursive: true });
});
