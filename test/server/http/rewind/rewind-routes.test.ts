import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { RewindRecording } from '../../../../server/recording/rewind-source.js';
import type { TokenChange, TokenFields } from '../../../../server/tokens/token-service.js';
import { Cleanup } from '../../../support/cleanup.js';
import { aPart, aRewindRecording, FakeRewindSource, RECORDING_ID } from '../../../support/rewind-recording.js';
import { streamServer, type TestServer } from '../../../support/stream-server.js';
import { websocketSessions } from '../../../support/websocket-sessions.js';

const STREAMS = [{ streamName: 'main', isRegex: false }];

describe('going back in a stream over HTTP', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  let source: FakeRewindSource;
  /** What the packager was asked for. */
  let packaged: string[];
  /** Starts another server. */
  let open: (env?: Record<string, string>) => Promise<void>;
  /** Of the publish token. */
  let publisher: { id: number; token: string };
  const { publish, view } = websocketSessions(() => app);

  beforeEach(async () => {
    source = new FakeRewindSource();
    packaged = [];
    const packager = {
      initSegment: async ({ file }: { file: string }) => {
        packaged.push(`init ${file}`);
        return Buffer.from('init');
      },
      segment: async ({ part, from, to }: { part: { file: string }; from: number; to: number }, zero: number) => {
        packaged.push(`${part.file} ${from}-${to} from ${zero - app.clock.now}`);
        return Buffer.from(`${from}-${to}`);
      },
    };
    open = async (env = {}) => {
      app = await streamServer(cleanup, env, { recordings: { source, packager } });
      publisher = await tokenOf('publish');
      source.recordings = [aRewindRecording({ tokenId: publisher.id })];
    };
    await open();
  });
  afterEach(() => cleanup.run());

  const tokenOf = (kind: 'publish' | 'subscribe', fields: Partial<TokenFields> = {}) =>
    app.server.tokens.create({ accountId: 'main', kind }, { label: '', streams: STREAMS, ...fields });
  const goLive = async () => {
    await publish({}, {}, publisher.token);
    app.engine.sendFrame('main/main');
  };
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${app.origin}${path}`, { redirect: 'manual', ...init });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  };
  /** Asks for an address, as a page of another origin. */
  const ask = async (body: object = {}, headers: Record<string, string> = {}) => {
    const answer = await call('/api/hls/main/main', {
      method: 'POST',
      headers: { 'content-type': 'text/plain', ...headers },
      body: JSON.stringify(body),
    });
    return { ...answer, body: JSON.parse(answer.text) };
  };
  const pathFor = async (body: object = {}, headers: Record<string, string> = {}): Promise<string> => {
    const { status, text, body: answer } = await ask(body, headers);
    assert.equal(status, 200, text);
    return answer.data.path;
  };
  const codeOf = ({ status, text }: { status: number; text: string }) => [status, JSON.parse(text).data.code];
  const fileOf = (path: string, name: string) => path.replace('playlist.m3u8', name);

  it('gives a viewer the address of a playlist, without the token in it', async () => {
    await goLive();
    const { token } = await tokenOf('subscribe');
    const { body, headers } = await ask({ token });
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    const { path, ...rest } = body.data;
    assert.deepEqual(rest, { startedOn: '2030-01-01T00:00:00.000Z', isLive: true, seconds: 8 });
    assert.match(path, new RegExp(`^/api/rewind/${RECORDING_ID}/[\\w-]+\\.[\\w-]+\\.[\\w-]+/playlist\\.m3u8$`));
    const claims = Buffer.from(path.split('/')[4]!.split('.')[1]!, 'base64url').toString();
    assert.equal(`${path}${claims}`.includes(token), false);
    const playlist = await call(path);
    assert.equal(playlist.headers.get('content-type'), 'application/vnd.apple.mpegurl; charset=utf-8');
    assert.equal(playlist.headers.get('cache-control'), 'no-store');
    assert.equal(playlist.headers.get('access-control-allow-origin'), '*');
    assert.match(playlist.text, /^#EXTM3U\n[^]*\n1-3\.m4s\n$/);
  });

  it('serves the files of the playlist, and makes each once', async () => {
    await goLive();
    const path = await pathFor();
    const files = await Promise.all(['1-0.mp4', '1-1.m4s', '1-1.m4s'].map((name) => call(fileOf(path, name))));
    assert.deepEqual(
      files.map(({ status, text, headers }) => [status, text, headers.get('content-type')]),
      [
        [200, 'init', 'video/mp4'],
        [200, '1100-2100', 'video/iso.segment'],
        [200, '1100-2100', 'video/iso.segment'],
      ],
    );
    assert.match(files[1]!.headers.get('cache-control')!, /^private, /);
    assert.deepEqual(packaged, ['init /recordings/part-1.mkv', '/recordings/part-1.mkv 1100-2100 from 0']);
  });

  describe('has a playlist of a broadcast that has just begun', () => {
    const begun = (groups: number, changes: Partial<RewindRecording> = {}) => {
      const parts = [aPart({ groups: aPart().groups.slice(0, groups) })];
      source.recordings = [aRewindRecording({ tokenId: publisher.id, parts, ...changes })];
    };
    const segmentsIn = ({ text }: { text: string }) => text.match(/^[^#].*\.m4s$/gm)?.length ?? 0;

    it('when players have enough to begin with, and decides about them then', async () => {
      await goLive();
      begun(1);
      const path = await pathFor();
      const waiting = ['playlist.m3u8', 'live.m3u8'].map((name) => call(fileOf(path, name)));
      const viewer = await tokenOf('subscribe');
      const ofViewer = call(await pathFor({ token: viewer.token }));
      assert.equal(segmentsIn(await call(fileOf(path, 'complete.m3u8'))), 0);
      begun(3);
      assert.equal(segmentsIn(await call(fileOf(path, 'complete.m3u8'))), 2);
      await app.server.tokens.update({ accountId: 'main', kind: 'subscribe' }, viewer.id, { isActive: false });
      begun(4);
      assert.deepEqual((await Promise.all(waiting)).map(segmentsIn), [3, 3]);
      assert.deepEqual(codeOf(await ofViewer), [403, 'token_disabled']);
    });

    it('when it is over before', async () => {
      await goLive();
      begun(2);
      const path = await pathFor();
      const waiting = call(path);
      assert.equal(segmentsIn(await call(fileOf(path, 'complete.m3u8'))), 1);
      begun(2, { isOpen: false });
      assert.match((await waiting).text, /ENDLIST/);
    });
  });

  it('has timestamps that continue after a gap', async () => {
    const later = aPart({ id: '2', file: '/recordings/part-2.mkv', startsAt: app.clock.now + 60_000 });
    source.recordings = [aRewindRecording({ tokenId: publisher.id, parts: [aPart({ isOpen: false }), later] })];
    await goLive();
    await call(fileOf(await pathFor(), '2-0.m4s'));
    assert.deepEqual(packaged, ['/recordings/part-2.mkv 100-1100 from 51000']);
  });

  it('refuses segments that are not in the playlist, and names that are none', async () => {
    await goLive();
    const path = await pathFor();
    for (const name of ['1-4.m4s', '9-0.m4s', '9-0.mp4']) {
      assert.deepEqual(codeOf(await call(fileOf(path, name))), [404, 'segment_not_found'], name);
    }
    assert.deepEqual(codeOf(await call(fileOf(path, '..%2F1-0.mp4'))), [400, 'invalid_request']);
  });

  it('redirects players that can only follow an address', async () => {
    await goLive();
    const { status, headers } = await call('/api/hls/main/main');
    assert.equal(status, 307);
    assert.equal((await call(headers.get('location')!)).status, 200);
  });

  it('takes the token from the header, but not also from the body', async () => {
    await goLive();
    const { token } = await tokenOf('subscribe');
    await pathFor({}, { authorization: `Bearer ${token}` });
    assert.deepEqual(codeOf(await ask({ token }, { authorization: `Bearer ${token}` })), [400, 'invalid_request']);
  });

  describe('is decided by the rules', () => {
    const allowed: [string, TokenChange, string][] = [
      ['that was disabled', { isActive: false }, 'token_disabled'],
      ['whose streams changed', { streams: [{ streamName: 'other', isRegex: false }] }, 'stream_not_permitted'],
      ['that now denies the address', { deniedIpAddresses: ['127.0.0.1'] }, 'address_denied'],
      ['that now is for another site', { allowedOrigins: ['https://other.test'] }, 'origin_not_allowed'],
    ];
    for (const [what, change, code] of allowed) {
      it(`again for each file, with a token ${what}`, async () => {
        await goLive();
        const { id, token } = await tokenOf('subscribe');
        const path = await pathFor({ token }, { origin: 'https://site.test' });
        assert.equal((await call(fileOf(path, '1-0.m4s'))).status, 200);
        await app.server.tokens.update({ accountId: 'main', kind: 'subscribe' }, id, change);
        for (const name of ['playlist.m3u8', '1-0.m4s', '1-0.mp4']) {
          assert.deepEqual(codeOf(await call(fileOf(path, name))), [403, code], name);
        }
        assert.equal((await ask({ token }, { origin: 'https://site.test' })).body.data.code, code);
      });
    }

    it('again for each file, with a token that has expired', async () => {
      await goLive();
      const { token } = await tokenOf('subscribe', { expires: 60 });
      const path = await pathFor({ token });
      app.clock.now += 61_000;
      assert.deepEqual(codeOf(await call(path)), [403, 'token_expired']);
    });

    it('by the origin of the page, also for players that send none', async () => {
      await goLive();
      const { token } = await tokenOf('subscribe', { allowedOrigins: ['https://site.test'] });
      const path = await pathFor({ token }, { origin: 'https://site.test' });
      assert.equal((await call(path)).status, 200);
      assert.deepEqual(codeOf(await call(path, { headers: { origin: 'https://other.test' } })), [
        403,
        'origin_not_allowed',
      ]);
    });

    it('by the token of the publisher, for viewers without one: while it is live and afterwards', async () => {
      const update = (subscribeRequiresAuth: boolean) =>
        app.server.tokens.update({ accountId: 'main', kind: 'publish' }, publisher.id, { subscribeRequiresAuth });
      const path = await pathFor();
      assert.equal((await call(path)).status, 200);
      await update(true);
      assert.deepEqual(codeOf(await call(path)), [403, 'token_missing']);
      assert.deepEqual(codeOf(await ask()), [401, 'token_missing']);
      await update(false);
      await goLive();
      assert.equal((await call(await pathFor())).status, 200);
    });

    it('needs a token where the token of the publisher is deleted', async () => {
      source.recordings = [aRewindRecording({ tokenId: null, isOpen: false })];
      assert.deepEqual(codeOf(await ask()), [401, 'token_missing']);
      const { token } = await tokenOf('subscribe');
      assert.equal((await call(await pathFor({ token }))).status, 200);
    });

    it('before anything is said about recordings', async () => {
      source.recordings = [];
      const { id, token } = await tokenOf('subscribe');
      await app.server.tokens.update({ accountId: 'main', kind: 'subscribe' }, id, { isActive: false });
      assert.deepEqual(codeOf(await ask({ token })), [401, 'token_disabled']);
      assert.deepEqual(codeOf(await ask()), [400, 'stream_not_live']);
    });
  });

  describe('with a token that limits how many watch', () => {
    it('needs an open session, and ends with it', async () => {
      await goLive();
      const { token } = await tokenOf('subscribe', { maxSessions: 1 });
      assert.deepEqual(codeOf(await ask({ token })), [403, 'session_required']);
      const { viewer } = await view({}, token);
      const { data } = await viewer.command('rewind');
      assert.equal((await call(data.path)).status, 200);
      viewer.socket.close(1000);
      await viewer.closed;
      assert.deepEqual(codeOf(await call(data.path)), [403, 'session_required']);
    });

    describe('whose address is passed on', () => {
      /** The viewer's browser, and how it fetches its recording from a network. */
      const watch = async (maxSessions = 1) => {
        const { token } = await tokenOf('subscribe', { maxSessions });
        const { viewer } = await view({}, token);
        const { data } = await viewer.command('rewind');
        const path = fileOf(data.path, 'live.m3u8');
        return {
          token,
          viewer,
          from: (address: string) => call(path, { headers: { 'x-forwarded-for': address } }),
        };
      };
      const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status);
      const everywhere = Array.from({ length: 20 }, (_, index) => `203.0.113.${index + 1}`);

      beforeEach(async () => {
        await open({ TRUSTED_PROXIES: '127.0.0.1' });
        await goLive();
      });

      it('serves no more than two networks at a time', async () => {
        const { from } = await watch();
        for (const address of everywhere) await from(address);
        app.clock.now += 4_000;
        const served = [];
        for (const address of everywhere) if ((await from(address)).status === 200) served.push(address);
        assert.equal(served.length, 2);
        assert.deepEqual(codeOf(await from(everywhere[0]!)), [403, 'displaced']);
      });

      it('serves a phone that changes its network, and a browser that has two', async () => {
        const { from } = await watch();
        const fetched = [];
        for (const address of ['203.0.113.1', '2001:db8::1', '2001:db8::2', '203.0.113.1']) {
          fetched.push(await from(address));
        }
        app.clock.now += 61_000;
        for (const address of ['198.51.100.1', '198.51.100.1', '2001:db8:1::1']) fetched.push(await from(address));
        assert.deepEqual(statuses(fetched), [200, 200, 200, 200, 200, 200, 200]);
      });

      it('serves everybody if the token has no limit', async () => {
        const { from } = await watch(0);
        for (const address of everywhere) assert.equal((await from(address)).status, 200);
      });
    });
  });

  describe('by the websocket of a session', () => {
    it('gives the address to a viewer, and says why there is none', async () => {
      await goLive();
      const { viewer } = await view();
      const { type, data } = await viewer.command('rewind', { sourceId: null });
      assert.deepEqual([type, data.isLive, data.seconds], ['response', true, 8]);
      assert.equal((await call(data.path)).status, 200);
      source.recordings = [];
      const refusal = await viewer.command('rewind');
      assert.deepEqual([refusal.type, refusal.code], ['error', 'rewind_unavailable']);
    });
  });

  it('plays the latest recording from the beginning after the broadcast', async () => {
    source.recordings = [
      aRewindRecording({ id: 'a'.repeat(22), tokenId: publisher.id, isOpen: false }),
      aRewindRecording({ tokenId: publisher.id, isOpen: false, parts: [aPart({ isOpen: false })] }),
    ];
    const { body } = await ask();
    assert.deepEqual([body.data.isLive, body.data.seconds], [false, 9]);
    assert.match((await call(body.data.path)).text, /#EXT-X-ENDLIST\n$/);
  });

  it('has no earlier broadcast while another one is live that is not recorded', async () => {
    source.recordings = [aRewindRecording({ tokenId: publisher.id, isOpen: false })];
    await goLive();
    assert.deepEqual(codeOf(await ask()), [404, 'rewind_unavailable']);
  });

  it('says that VP8 cannot be gone back in', async () => {
    await goLive();
    source.recordings = [aRewindRecording({ tokenId: publisher.id, parts: [aPart({ video: { codec: 'vp8' } })] })];
    assert.deepEqual(codeOf(await ask()), [409, 'rewind_codec_unsupported']);
  });

  it('accepts an address for one recording only, and not for longer than four hours', async () => {
    await goLive();
    const path = await pathFor();
    source.recordings.push(aRewindRecording({ id: 'o'.repeat(22), tokenId: publisher.id }));
    assert.deepEqual(codeOf(await call(path.replace(RECORDING_ID, 'o'.repeat(22)))), [403, 'grant_invalid']);
    assert.deepEqual(codeOf(await call(`/api/rewind/${RECORDING_ID}/a.b.c/playlist.m3u8`)), [403, 'grant_invalid']);
    app.clock.now += 4 * 3_600_000;
    assert.deepEqual(codeOf(await call(path)), [403, 'grant_expired']);
  });

  it('says so when the recording was deleted', async () => {
    await goLive();
    const path = await pathFor();
    source.recordings = [];
    assert.deepEqual(codeOf(await call(path)), [404, 'rewind_unavailable']);
  });
});
