import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../support/cleanup.js';
import { dataFolder } from '../support/data-folder.js';
import { freePort } from '../support/free-port.js';
import { startHlsCache } from '../support/hls-cache.js';
import { until } from '../support/media/until.js';
import { aPart, aRewindRecording, FakeRewindSource } from '../support/rewind-recording.js';
import { NOW, streamServer, type TestServer } from '../support/stream-server.js';

const PLAYERS = 50;
const MINUTE = 60_000;

interface Loaded {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** What nginx says of its copy. */
  readonly cache: string | string[] | undefined;
}

describe('the nginx of the guide, between players and the server', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  let source: FakeRewindSource;
  let cdn: string;
  let groups: number;
  /** The paths that nginx asked for, in order. */
  let asked: string[];
  /** What the packager throws instead of making a segment. */
  let fault: Error | undefined;

  beforeEach(async () => {
    [groups, asked, fault] = [10, [], undefined];
    source = new FakeRewindSource();
    const packager = {
      initSegment: async () => Buffer.from('init'),
      segment: async ({ from, to }: { from: number; to: number }) => {
        if (fault) throw fault;
        return Buffer.from(`${from}-${to}`);
      },
    };
    const port = await freePort();
    cdn = `http://127.0.0.1:${port}`;
    app = await streamServer(cleanup, { HLS_CDN_URL: cdn }, { recordings: { source, packager } });
    source.findById = async () => recording();
    source.findLatest = source.findById;
    await startHlsCache(cleanup, { folder: await dataFolder(cleanup), port, origin: await countingProxy() });
  });
  afterEach(() => cleanup.run());

  const recording = () => {
    const begun = Array.from({ length: groups }, (_, index) => ({
      position: 100 + index * 1_000,
      timestampMs: index * 2_000,
    }));
    return aRewindRecording({ tokenId: null, parts: [aPart({ groups: begun })] });
  };

  /** Passes requests on to the server, and notes them. */
  async function countingProxy(): Promise<number> {
    const proxy = createServer((req, res) => {
      asked.push(req.url!);
      const onward = get(`${app.origin}${req.url}`, { headers: req.headers }, (answer) => {
        res.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(res);
      });
      onward.on('error', () => res.destroy());
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    cleanup.after(() => {
      proxy.closeAllConnections();
      proxy.close();
    });
    return (proxy.address() as AddressInfo).port;
  }

  /** A viewer with a token of their own, who watches live or has gone back. */
  const newViewer = async (name: 'live.m3u8' | 'playlist.m3u8' = 'live.m3u8') => {
    const streams = [{ streamName: 'main', isRegex: false }];
    const own = { accountId: 'main', kind: 'subscribe' } as const;
    const { id, token } = await app.server.tokens.create(own, { label: '', streams });
    const answer = await fetch(`${app.origin}/api/hls/main/main`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    const { data } = (await answer.json()) as { data: { path: string } };
    const url = `${app.origin}${data.path.replace('playlist.m3u8', name)}`;
    return {
      playlist: () => load(url),
      /** The addresses of the initialization segment, and of the segments. */
      async listed(): Promise<string[]> {
        const { body } = await load(url);
        return body.match(/(?<=MAP:URI=")[^"]+|^[^#\n].+$/gm)!.map((file) => new URL(file, url).href);
      },
      revoke: () => app.server.tokens.update(own, id, { isActive: false }),
    };
  };
  /** Follows redirects, as players do. */
  const load = async (url: string, headers: Record<string, string> = {}): Promise<Loaded> => {
    const [answer] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
    const body = Buffer.concat(await answer.toArray()).toString();
    const { statusCode, headers: answered } = answer;
    if (statusCode === 307) return load(answered.location!, headers);
    return { status: statusCode!, headers: answered, body, cache: answered['x-cache-status'] };
  };
  const codeOf = ({ status, body }: Loaded) => [status, JSON.parse(body).data.code];

  it('asks the server once for each file, however many players watch live', async () => {
    const viewers = await Promise.all(Array.from({ length: PLAYERS }, () => newViewer()));
    const bodies = await Promise.all(
      viewers.map(async (viewer) => Promise.all((await viewer.listed()).map(async (url) => (await load(url)).body))),
    );
    const expected = [
      'init',
      ...Array.from({ length: 9 }, (_, index) => `${100 + index * 1_000}-${1_100 + index * 1_000}`),
    ];
    for (const body of bodies) assert.deepEqual(body, expected);
    assert.equal(asked.length, 10, asked.join('\n'));
    assert.equal(new Set(asked).size, 10);

    groups += 1;
    const next = await Promise.all(viewers.map(async (viewer) => load((await viewer.listed()).at(-1)!)));
    assert.deepEqual(new Set(next.map(({ body }) => body)), new Set(['9100-10100']));
    assert.equal(asked.length, 11);
  });

  it('gives a revoked viewer nothing that is recorded later, and the others all of it', async () => {
    const [revoked, other] = [await newViewer(), await newViewer()];
    const last = (await revoked.listed()).at(-1)!;
    await revoked.revoke();
    groups += 1;
    assert.deepEqual(codeOf(await revoked.playlist()), [403, 'token_disabled']);
    const guess = last.replace('1-8.m4s', '1-9.m4s');
    assert.notEqual(guess, last);
    assert.deepEqual(codeOf(await load(guess)), [403, 'grant_invalid']);
    const next = await load((await other.listed()).at(-1)!);
    assert.deepEqual([next.status, next.body], [200, '9100-10100']);
    // It was listed before: the guide says so.
    assert.equal((await load(last)).status, 200);
  });

  it('gives a revoked viewer who has gone back no further segment, and the others those in the cache', async () => {
    const [revoked, other] = [await newViewer('playlist.m3u8'), await newViewer('playlist.m3u8')];
    const [, first, second] = await revoked.listed();
    const [, firstOfOther, secondOfOther] = await other.listed();
    for (const url of [firstOfOther!, secondOfOther!]) assert.equal((await load(url)).cache, 'MISS');
    assert.deepEqual([(await load(first!)).cache, asked.length], ['HIT', 2]);
    await revoked.revoke();
    assert.deepEqual(codeOf(await load(second!)), [403, 'token_disabled']);
    const next = await load(secondOfOther!);
    assert.deepEqual([next.status, next.body, next.cache, asked.length], [200, '1100-2100', 'HIT', 2]);
  });

  it('forgets a deleted recording when its keys expire, and the server has none of it from then on', async () => {
    const [, first, second] = await (await newViewer('playlist.m3u8')).listed();
    app.clock.now = NOW + 2 * MINUTE - 1;
    const given = (await fetch(first!, { redirect: 'manual' })).headers.get('location')!;
    // The key in it expires in two seconds.
    app.clock.now = NOW + 5 * MINUTE - 1_999;
    const copied = await load(given);
    assert.deepEqual([copied.status, copied.headers['cache-control']], [200, 'public, max-age=1, immutable']);
    source.findById = async () => undefined;
    for (const url of [second!, given.replace(cdn, app.origin)]) {
      assert.deepEqual(codeOf(await load(url)), [404, 'rewind_unavailable']);
    }
    await until('the copy is gone', async () => (await load(given)).status === 404);
  });

  it('keeps no refusal and no failure', async () => {
    const [, first] = await (await newViewer()).listed();
    const found = source.findById;
    source.findById = async () => undefined;
    for (const times of [1, 2]) assert.deepEqual([(await load(first!)).status, asked.length], [404, times]);
    source.findById = found;
    fault = new Error('the disk is slow');
    for (const times of [3, 4]) assert.deepEqual([(await load(first!)).status, asked.length], [500, times]);
    fault = undefined;
    assert.deepEqual([(await load(first!)).cache, (await load(first!)).cache, asked.length], ['MISS', 'HIT', 5]);
  });

  it('answers ranges from the whole file, also of one that it does not have yet', async () => {
    const url = (await (await newViewer()).listed())[1]!;
    const range = { range: 'bytes=4-7' };
    const answers = [await load(url, range), await load(url, range)];
    assert.deepEqual(
      answers.map(({ status, body, headers, cache }) => [status, body, headers['content-range'], cache]),
      [
        [206, '1100', 'bytes 4-7/8', 'MISS'],
        [206, '1100', 'bytes 4-7/8', 'HIT'],
      ],
    );
    assert.deepEqual([(await load(url)).body, asked.length], ['100-1100', 1]);
  });

  it('passes on the headers that players of other sites need, whatever they send', async () => {
    const url = (await (await newViewer()).listed())[1]!;
    await load(url, { origin: 'https://one.test', cookie: 'a=1', 'accept-encoding': 'gzip' });
    const { headers, cache } = await load(`${url}?more=1`, { origin: 'https://other.test' });
    assert.equal(cache, 'HIT');
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.match(headers['cache-control']!, /^public, max-age=\d+, immutable$/);
  });

  it('has nothing else of the server', async () => {
    assert.equal((await load(`${cdn}/api/hls/main/main`)).status, 404);
    assert.deepEqual(asked, []);
  });
});
