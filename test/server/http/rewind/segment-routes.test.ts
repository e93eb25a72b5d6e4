import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { aPart, aRewindRecording, FakeRewindSource } from '../../../support/rewind-recording.js';
import { NOW, streamServer, type TestServer } from '../../../support/stream-server.js';

const MINUTE = 60_000;
const CDN = 'https://cdn.example.com/one';

describe('files of a recording for a CDN', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  let source: FakeRewindSource;
  let tokenId: number;

  beforeEach(async () => {
    source = new FakeRewindSource();
    const packager = {
      initSegment: async () => Buffer.from('init'),
      segment: async ({ from, to }: { from: number; to: number }) => Buffer.from(`${from}-${to}`),
    };
    const env = { HLS_CDN_URL: `${CDN}/` };
    app = await streamServer(cleanup, env, { recordings: { source, packager } });
    const streams = [{ streamName: 'main', isRegex: false }];
    const token = await app.server.tokens.create({ accountId: 'main', kind: 'publish' }, { label: '', streams });
    tokenId = token.id;
    source.recordings = [recorded(5)];
  });
  afterEach(() => cleanup.run());

  /** When so many groups of two seconds have begun. */
  const recorded = (groups: number) => {
    const begun = Array.from({ length: groups }, (_, index) => ({
      position: 100 + index * 1_000,
      timestampMs: index * 2_000,
    }));
    return aRewindRecording({ tokenId, isOpen: true, parts: [aPart({ groups: begun })] });
  };
  const call = async (path: string, init: RequestInit = {}) => {
    const { status, headers, ...response } = await fetch(`${app.origin}${path}`, { redirect: 'manual', ...init }).then(
      async (answer) => ({ status: answer.status, headers: answer.headers, text: await answer.text() }),
    );
    return { status, headers, text: response.text };
  };
  /** The address of the playlist of a new viewer. */
  const newPlaylist = async (name = 'playlist.m3u8'): Promise<string> => {
    const { status, text } = await call('/api/hls/main/main', { method: 'POST', body: '{}' });
    assert.equal(status, 200, text);
    return JSON.parse(text).data.path.replace('playlist.m3u8', name);
  };
  /** The initialization segment, and the segments. */
  const filesIn = async (playlist: string): Promise<string[]> =>
    (await call(playlist)).text.match(/(?<=MAP:URI=")[^"]+|^[^#\n].+$/gm)!;
  /** Where the server sends players who ask for these files. */
  const redirectsOf = (playlist: string, files: readonly string[]) =>
    Promise.all(
      files.map(async (file) => {
        const { status, headers } = await call(playlist.replace(/[^/]+$/, file));
        assert.deepEqual([status, headers.get('cache-control')], [307, 'no-store']);
        return headers.get('location')!;
      }),
    );
  /** The addresses at the CDN that a new viewer gets now. */
  const addresses = async () => {
    const playlist = await newPlaylist();
    return redirectsOf(playlist, await filesIn(playlist));
  };
  const pathOf = (address: string) => address.replace(CDN, '');
  const codeOf = ({ status, text }: { status: number; text: string }) => [status, JSON.parse(text).data.code];

  it('have addresses below the one of the CDN, to which players are redirected', async () => {
    const playlist = await newPlaylist();
    assert.deepEqual(await filesIn(playlist), ['1-0.mp4', '1-0.m4s', '1-1.m4s', '1-2.m4s', '1-3.m4s']);
    const given = await addresses();
    for (const address of given) {
      assert.match(
        address,
        /^https:\/\/cdn\.example\.com\/one\/api\/segments\/r{22}\/15778800\/[\w-]{22}\/1-\d\.(?:mp4|m4s)$/,
      );
    }
    assert.equal(new Set(given).size, 5);
  });

  it('are redirected to for pages of every site', async () => {
    const playlist = await newPlaylist();
    const headers = { origin: 'https://a.test' };
    const answer = await call(playlist.replace('playlist.m3u8', '1-0.m4s'), { headers });
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  });

  it('have the same address for all viewers in the same two minutes', async () => {
    const given = await addresses();
    app.clock.now += 2 * MINUTE - 1;
    assert.deepEqual(await addresses(), given);
    app.clock.now += 1;
    for (const [index, address] of (await addresses()).entries()) assert.notEqual(address, given[index]);
  });

  it('are named at the CDN by the playlist of those who watch live, at the address of when they were new', async () => {
    const live = await newPlaylist('live.m3u8');
    const given = await addresses();
    const listed = await filesIn(live);
    assert.deepEqual(listed, ['1-0.mp4', ...given.slice(1)]);
    app.clock.now += 4 * MINUTE - 1;
    assert.deepEqual(await filesIn(live), listed);
    for (const address of listed.slice(1)) assert.equal((await call(pathOf(address))).status, 200);
  });

  it('are named below the pass of the viewer when they are older, as after a pause', async () => {
    const live = await newPlaylist('live.m3u8');
    app.clock.now += 4 * MINUTE;
    assert.deepEqual(await filesIn(live), ['1-0.mp4', '1-0.m4s', '1-1.m4s', '1-2.m4s', '1-3.m4s']);
    assert.match((await redirectsOf(live, ['1-3.m4s']))[0]!, /\/15778802\//);
  });

  it('get no address before they are recorded, and none when the viewer is refused', async () => {
    const playlist = await newPlaylist();
    const next = playlist.replace('playlist.m3u8', '1-4.m4s');
    assert.deepEqual(codeOf(await call(next)), [404, 'segment_not_found']);
    assert.deepEqual(codeOf(await call(next.replace('1-4', '1-03'))), [400, 'invalid_request']);
    const publisher = { accountId: 'main', kind: 'publish' } as const;
    await app.server.tokens.update(publisher, tokenId, { subscribeRequiresAuth: true });
    for (const file of ['playlist.m3u8', 'live.m3u8', '1-0.mp4', '1-0.m4s']) {
      assert.deepEqual(codeOf(await call(playlist.replace('playlist.m3u8', file))), [403, 'token_missing']);
    }
  });

  it('are sent so that caches keep them for all origins, until the key expires', async () => {
    const given = await addresses();
    app.clock.now += MINUTE;
    const answers = await Promise.all(
      given.map((address) => call(pathOf(address), { headers: { origin: 'https://a.test' } })),
    );
    assert.deepEqual(
      answers.map(({ status, text }) => [status, text]),
      [[200, 'init'], ...['100-1100', '1100-2100', '2100-3100', '3100-4100'].map((body) => [200, body])],
    );
    for (const { headers } of answers) {
      assert.equal(headers.get('cache-control'), 'public, max-age=240, immutable');
      assert.equal(headers.get('access-control-allow-origin'), '*');
      for (const name of ['vary', 'set-cookie', 'access-control-allow-credentials'])
        assert.equal(headers.get(name), null);
    }
    assert.deepEqual(
      answers.slice(0, 2).map(({ headers }) => headers.get('content-type')),
      ['video/mp4', 'video/iso.segment'],
    );
  });

  it('are answered in ranges of bytes, to HEAD, and to caches that have them', async () => {
    const path = pathOf((await addresses())[1]!);
    const part = await call(path, { headers: { range: 'bytes=2-4' } });
    assert.deepEqual([part.status, part.text, part.headers.get('content-range')], [206, '0-1', 'bytes 2-4/8']);
    const head = await call(path, { method: 'HEAD' });
    assert.deepEqual([head.status, head.text, head.headers.get('content-length')], [200, '', '8']);
    const condition = { 'if-none-match': head.headers.get('etag')!, 'cache-control': 'max-age=0' };
    const known = await call(path, { headers: condition });
    assert.equal(known.status, 304);
  });

  it('have a preflight that browsers remember', async () => {
    const { status, headers } = await call(pathOf((await addresses())[1]!), { method: 'OPTIONS' });
    assert.deepEqual(
      [status, headers.get('access-control-allow-headers'), headers.get('access-control-max-age')],
      [204, 'range', '86400'],
    );
  });

  describe('are refused, so that no cache keeps it', () => {
    const refused = (what: string, change: (path: string) => string, code: unknown[], init: RequestInit = {}) =>
      it(what, async () => {
        const answer = await call(change(pathOf((await addresses())[1]!)), init);
        assert.deepEqual(codeOf(answer), code);
        assert.equal(answer.headers.get('cache-control'), 'no-store');
      });

    refused('with the key of another segment', (path) => path.replace('1-0.m4s', '1-1.m4s'), [403, 'grant_invalid']);
    refused('with a later period', (path) => path.replace('/15778800/', '/15778801/'), [403, 'grant_invalid']);
    refused('with a key that is none', (path) => path.replace(/[\w-]{22}(?=\/1-0)/, 'x'), [400, 'invalid_request']);
    refused('at an address that is none', (path) => `${path}/more`, [404, 'route_not_found']);
    refused('with another method', (path) => path, [405, 'method_not_allowed'], { method: 'POST' });
    const behind = { headers: { range: 'bytes=8-' } };
    refused('behind their end', (path) => path, [416, 'range_unsatisfiable'], behind);

    it('when the key has expired', async () => {
      const path = pathOf((await addresses())[1]!);
      app.clock.now = NOW + 5 * MINUTE;
      const answer = await call(path);
      assert.deepEqual(codeOf(answer), [403, 'grant_expired']);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
    });

    it('when the recording is deleted', async () => {
      const path = pathOf((await addresses())[1]!);
      source.recordings = [];
      const answer = await call(path);
      assert.deepEqual(codeOf(answer), [404, 'rewind_unavailable']);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
    });
  });

  it('may be loaded by the hosted pages', async () => {
    const policy = (await call('/api/docs')).headers.get('content-security-policy')!;
    assert.match(policy, /media-src [^;]* https:\/\/cdn\.example\.com(?:;|$)/);
    assert.match(policy, /connect-src [^;]* https:\/\/cdn\.example\.com(?:;|$)/);
  });

  it('are found by players that ask for what is live', async () => {
    source.recordings = [recorded(41)];
    const playlist = (await call('/api/hls/main/main?from=live')).headers.get('location')!;
    assert.match((await call(playlist)).text, /#EXT-X-MEDIA-SEQUENCE:25\n/);
    assert.equal((await filesIn(playlist)).length, 1 + 15);
    assert.deepEqual(codeOf(await call('/api/hls/main/main?from=here')), [400, 'invalid_request']);
  });
});
