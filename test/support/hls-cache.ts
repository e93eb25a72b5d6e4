import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cleanup } from './cleanup.ts';
import { startNginx } from './nginx.ts';

const GUIDE = join(import.meta.dirname, '../../docs/operating/hls-through-a-cdn.md');

export interface HlsCacheOptions {
  /** For its files. */
  readonly folder: string;
  /** Of the loopback address, as `HLS_CDN_URL` says. */
  readonly port: number;
  /** The port of the server, on the loopback address. */
  readonly origin: number;
}

/** Runs nginx with the configuration of the guide, but without TLS, until the cleanup. */
export async function startHlsCache(cleanup: Cleanup, { folder, port, origin }: HlsCacheOptions): Promise<void> {
  const replaced: [string | RegExp, string][] = [
    ['/var/cache/nginx/segments', `${folder}/segments`],
    ['server 10.0.0.5:8080;', `server 127.0.0.1:${origin};`],
    ['listen 443 ssl;', `listen 127.0.0.1:${port};`],
    [/^ *ssl_certificate .*\n/m, ''],
    [/^ *ssl_certificate_key .*\n/m, ''],
  ];
  const [, shown = ''] = /^```nginx\n([^]*?)^```$/m.exec(readFileSync(GUIDE, 'utf8')) ?? [];
  let servers = shown;
  for (const [from, to] of replaced) {
    const before = servers;
    servers = servers.replace(from, to);
    assert.notEqual(servers, before, `the guide has no ${from}`);
  }
  await startNginx(cleanup, { folder, servers, port });
}
