import assert from 'node:assert/strict';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import type { TokenFields } from '../../server/tokens/token-service.js';
import { Cleanup } from '../support/cleanup.js';
import { askIngest, locationOf, refusalOf, whep, whip } from '../support/ingest-client.js';
import { askDirector, NOW, streamServer, TestClient, type TestServer } from '../support/stream-server.js';

const SCOPE = { accountId: 'main', kind: 'publish' } as const;
const exactly = { streams: [{ streamName: 'main', isRegex: false }] };
const pattern = { streams: [{ streamName: 'ma.*', isRegex: true }] };

describe('a viewer without a token', () => {
  const cleanup = new Cleanup();
  let app: TestServer;

  beforeEach(async () => {
    app = await streamServer(cleanup);
  });
  afterEach(() => cleanup.run());

  const create = (fields: Partial<TokenFields>) =>
    app.server.tokens.create(SCOPE, { label: '', ...exactly, ...fields });
  const jsonOf = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${app.origin}${path}`, init);
    return { status: response.status, data: JSON.parse(await response.text()).data };
  };
  const codeOf = async (path: string, init?: RequestInit) => {
    const { status, data } = await jsonOf(path, init);
    return [status, data.code];
  };
  /** All that somebody without a token can ask about the stream. */
  const answers = async (announced: string) => {
    const director = await askDirector(app, 'subscribe');
    const { requestId: _id, ...refused } = director.body.data;
    const { now: _now, ...announcement } = (await jsonOf(`/api/scheduled_stream/${announced}`)).data;
    return {
      director: [director.status, refused] as const,
      whep: refusalOf(await whep(app)),
      picture: await codeOf('/api/still/main/main'),
      rewind: await codeOf('/api/hls/main/main', { method: 'POST', body: '{}' }),
      announcement,
    };
  };
  /** Waits for the stream. Undefined: nothing was answered, although the server answers. */
  const awaited = async () => {
    const client = new TestClient(new WebSocket(`${app.origin.replace('http', 'ws')}/ws/v2/sub`));
    await once(client.socket, 'open');
    const told = client.command('await', { streamName: 'main', streamAccountId: 'main' });
    await Promise.race([told, client.command('ping')]);
    const [first] = client.frames;
    return { client, told, answer: first.transId === 0 ? first.data : undefined };
  };
  const codeIn = ({ director: [, { code }] }: Awaited<ReturnType<typeof answers>>) => code;
  const announce = async () => {
    const secret = await app.server.secrets.create('main');
    const { data } = await jsonOf('/api/schedule', {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ streamName: 'main', title: 'Main', startsOn: new Date(NOW).toISOString() }),
    });
    return data.id;
  };
  /** @returns ends the broadcast */
  const goLive = async (token: string) => {
    const location = locationOf(await whip(app, { token }));
    app.engine.sendFrame('main/main');
    return async () => {
      assert.equal((await askIngest(app, location, { token, method: 'DELETE' })).status, 200);
    };
  };

  for (const [what, tokens, code] of [
    ['whose token names it', [{ subscribeRequiresAuth: true }], 'token_missing'],
    ['whose token has a pattern', [{ subscribeRequiresAuth: true, ...pattern }], 'token_missing'],
    ['beside an open token for the same name', [{ subscribeRequiresAuth: true }, {}], 'token_missing'],
    ['with a pattern, and a name that is open', [{ subscribeRequiresAuth: true, ...pattern }, {}], 'stream_not_live'],
  ] as const) {
    it(`is told the same of a protected stream that is live and of one that is not: ${what}`, async () => {
      const [publisher] = await Promise.all(tokens.map(create));
      const announced = await announce();
      const before = await answers(announced);
      assert.equal(codeIn(before), code);
      const end = await goLive(publisher!.token);
      assert.deepEqual(await answers(announced), before);
      assert.equal((await awaited()).answer, undefined);
      await end();
      assert.deepEqual(await answers(announced), before);
      assert.deepEqual((await awaited()).client.events(), []);
    });
  }

  it('is told that an open stream is not live, and then watches it', async () => {
    await create({ subscribeRequiresAuth: true, ...pattern });
    const { token } = await create({});
    const announced = await announce();
    const before = await answers(announced);
    assert.equal(codeIn(before), 'stream_not_live');
    assert.deepEqual([before.whep[0], before.whep[1]], [409, 'stream_not_live']);
    assert.deepEqual([before.announcement.state, before.announcement.requiresToken], ['scheduled', false]);
    const { answer, told } = await awaited();
    assert.equal(answer, undefined);
    const end = await goLive(token);
    assert.deepEqual((await told).data, { live: true });
    assert.equal((await askDirector(app, 'subscribe')).status, 200);
    assert.equal((await jsonOf(`/api/scheduled_stream/${announced}`)).data.state, 'live');
    await end();
    const { client } = await awaited();
    const over = { streamId: 'main/main', sourceId: null, declared: true, endedOn: NOW };
    assert.deepEqual((await client.event('inactive')).data, over);
  });

  it('who waits for a protected stream is told that it is live when it needs no token any more', async () => {
    const { id, token } = await create({ subscribeRequiresAuth: true });
    await goLive(token);
    const { answer, told } = await awaited();
    assert.equal(answer, undefined);
    await app.server.tokens.update(SCOPE, id, { subscribeRequiresAuth: false });
    assert.deepEqual((await told).data, { live: true });
  });

  it('is told that a stream is not live whose protected tokens cannot publish any more', async () => {
    const { id } = await create({ subscribeRequiresAuth: true });
    const codes = async () => (await askDirector(app, 'subscribe')).body.data.code;
    assert.equal(await codes(), 'token_missing');
    await app.server.tokens.update(SCOPE, id, { isActive: false });
    assert.equal(await codes(), 'stream_not_live');
    await app.server.tokens.update(SCOPE, id, { isActive: true, expires: 60 });
    assert.equal(await codes(), 'token_missing');
    app.clock.now += 60_000;
    assert.equal(await codes(), 'stream_not_live');
  });
});
