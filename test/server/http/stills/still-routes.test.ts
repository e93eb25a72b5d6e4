import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { TokenFields } from '../../../../server/tokens/token-service.js';
import { Cleanup } from '../../../support/cleanup.js';
import { streamServer, type TestServer } from '../../../support/stream-server.js';
import { websocketSessions } from '../../../support/websocket-sessions.js';

const STREAMS = [{ streamName: 'main', isRegex: false }];

describe('a picture of a stream, for those who may watch it', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  const { publish } = websocketSessions(() => app);

  beforeEach(async () => {
    app = await streamServer(cleanup);
  });
  afterEach(() => cleanup.run());

  const tokenOf = (kind: 'publish' | 'subscribe', fields: Partial<TokenFields> = {}) =>
    app.server.tokens.create({ accountId: 'main', kind }, { label: '', streams: STREAMS, ...fields });
  const goLive = async (fields: Partial<TokenFields> = {}, sourceId: string | null = null) => {
    const { token } = await tokenOf('publish', fields);
    await publish(sourceId === null ? {} : { sourceId }, {}, token);
    app.engine.sendFrame('main/main', sourceId);
  };
  const ask = async (query = '', headers: Record<string, string> = {}) => {
    const response = await fetch(`${app.origin}/api/still/main/main${query}`, { headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    const { code } = response.ok ? { code: undefined } : JSON.parse(bytes.toString()).data;
    return { status: response.status, code, headers: response.headers, bytes };
  };

  it('needs no token where the stream needs none, and is kept by the browser of that person for a moment', async () => {
    await goLive();
    const { status, headers, bytes } = await ask();
    assert.equal(status, 200);
    assert.equal(bytes.subarray(8, 16).toString('latin1'), 'WEBPVP8 ');
    const { data } = (await app.engine.keyframe('main/main', null))!;
    assert.deepEqual(bytes.subarray(20, 20 + data.length), data);
    const names = ['content-type', 'cache-control', 'access-control-allow-origin', 'cross-origin-resource-policy'];
    assert.deepEqual(
      names.map((name) => headers.get(name)),
      ['image/webp', 'private, max-age=10', '*', 'cross-origin'],
    );
    assert.deepEqual(headers.get('vary')?.toLowerCase().split(', ').toSorted(), ['authorization', 'origin']);
  });

  it('is that of the first live source if there is no main source', async () => {
    await goLive({}, 'camera');
    assert.equal((await ask()).status, 200);
    assert.equal((await ask('?sourceId=camera')).status, 200);
    assert.deepEqual((await ask('?sourceId=other')).code, 'still_unavailable');
  });

  it('is asked of the media engine for live sources only, whatever names somebody tries', async () => {
    await goLive();
    const asked: (string | null)[] = [];
    const keyframe = app.engine.keyframe.bind(app.engine);
    app.engine.keyframe = async (stream, sourceId) => {
      asked.push(sourceId);
      return await keyframe(stream, sourceId);
    };
    for (const query of ['?sourceId=a', '?sourceId=b', '']) await ask(query);
    assert.deepEqual(asked, [null]);
  });

  describe('is decided by the rules', () => {
    const tokens: readonly (readonly [string, Partial<TokenFields>, string | undefined])[] = [
      ['that may watch', {}, undefined],
      ['of another stream', { streams: [{ streamName: 'other', isRegex: false }] }, 'stream_not_permitted'],
      ['that expects another website', { allowedOrigins: ['example.com'] }, 'origin_not_allowed'],
      ['of another network', { allowedIpAddresses: ['192.0.2.0/24'] }, 'address_not_allowed'],
    ];
    for (const [what, fields, code] of tokens) {
      it(`with a token ${what}`, async () => {
        await goLive({ subscribeRequiresAuth: true });
        const { token } = await tokenOf('subscribe', fields);
        const answer = await ask('', { authorization: `Bearer ${token}`, origin: 'https://elsewhere.example' });
        assert.deepEqual([answer.status, answer.code], code === undefined ? [200, undefined] : [401, code]);
      });
    }

    it('without a token where the stream needs one, and with a token that was disabled', async () => {
      await goLive({ subscribeRequiresAuth: true });
      assert.deepEqual((await ask()).code, 'token_missing');
      const { id, token } = await tokenOf('subscribe');
      await app.server.tokens.update({ accountId: 'main', kind: 'subscribe' }, id, { isActive: false });
      const refused = await ask('', { authorization: `Bearer ${token}` });
      assert.deepEqual([refused.code, refused.headers.get('cache-control')], ['token_disabled', 'no-store']);
    });
  });

  it('does not exist while nothing is live: who may wait is told so', async () => {
    assert.deepEqual((await ask()).code, 'stream_not_live');
    const { token } = await tokenOf('subscribe');
    const answer = await ask('', { authorization: `Bearer ${token}` });
    assert.deepEqual([answer.status, answer.code], [404, 'still_unavailable']);
  });

  it('takes no place of a viewer', async () => {
    await goLive({ subscribeRequiresAuth: true });
    const { token } = await tokenOf('subscribe', { maxSessions: 1 });
    for (let asked = 0; asked < 2; asked++)
      assert.equal((await ask('', { authorization: `Bearer ${token}` })).status, 200);
    assert.equal((await app.engine.stats('main/main')).viewers, 0);
  });

  it('refuses other methods and formats, and ignores what pages add so that browsers ask again', async () => {
    await goLive();
    const posted = await fetch(`${app.origin}/api/still/main/main`, { method: 'POST' });
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET']);
    assert.deepEqual((await ask('?format=png')).code, 'invalid_request');
    assert.equal((await ask('?t=1')).status, 200);
  });
});
