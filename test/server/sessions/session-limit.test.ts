import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { signSubscribeToken, type SignedTokenClaims } from '../../../src/management/sign-subscribe-token.js';
import type { TokenFields } from '../../../server/tokens/token-service.js';
import { Cleanup } from '../../support/cleanup.js';
import { askIngest, locationOf, refusalOf, whep } from '../../support/ingest-client.js';
import { sdpOffer } from '../../support/media/offer.js';
import { askDirector, NOW, streamServer, type TestClient, type TestServer } from '../../support/stream-server.js';
import { websocketSessions } from '../../support/websocket-sessions.js';

const scope = { accountId: 'main', kind: 'subscribe' } as const;
const streams = [{ streamName: 'main', isRegex: false }];

describe('a token that limits its sessions', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  const { publish, view, resume, openViewer } = websocketSessions(() => app);

  beforeEach(async () => {
    app = await streamServer(cleanup);
  });
  afterEach(() => cleanup.run());

  const create = (fields: Partial<TokenFields>) => app.server.tokens.create(scope, { label: '', streams, ...fields });
  const codeFor = async (token: string) => (await askDirector(app, 'subscribe', token)).body.data.code;
  const stopOf = async (viewer: TestClient) => {
    const { data } = await viewer.event('stopped');
    return [data.code, (await viewer.closed).code];
  };

  it('refuses one more viewer with 409 and a time to wait, and admits them when a viewer has left', async () => {
    const { token } = await create({ maxSessions: 1 });
    const { viewer } = await view({}, token);
    const answer = await askDirector(app, 'subscribe', token);
    assert.deepEqual([answer.status, answer.body.data.code], [409, 'token_full']);
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
    await viewer.command('unview');
    assert.equal(await codeFor(token), undefined);
  });

  it('refuses the second of two who were admitted together', async () => {
    const { token } = await create({ maxSessions: 1 });
    const answers = [await askDirector(app, 'subscribe', token), await askDirector(app, 'subscribe', token)];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    const [first, second] = answers.map(({ body }) => body.data.jwt);
    const opened = await resume('sub', first);
    assert.equal((await opened.command('view', { sdp: sdpOffer() })).type, 'response');
    assert.deepEqual(await stopOf(await resume('sub', second)), ['token_full', 4010]);
  });

  it('counts a viewer who resumes once, while both connections are open', async () => {
    const { token } = await create({ maxSessions: 1 });
    const { viewer, answer } = await view({}, token);
    const resumed = await resume('sub', answer.resumeToken);
    assert.equal((await resumed.command('view', { sdp: sdpOffer() })).type, 'response');
    assert.deepEqual(await stopOf(viewer), ['replaced', 4001]);
    assert.equal(await codeFor(token), 'token_full');
  });

  it('counts the viewers of WHEP', async () => {
    const { token } = await create({ maxSessions: 1 });
    await publish();
    app.engine.sendFrame('main/main');
    const url = locationOf(await whep(app, { token }));
    assert.equal(await codeFor(token), 'token_full');
    assert.deepEqual(refusalOf(await whep(app, { token })).slice(0, 2), [409, 'token_full']);
    await askIngest(app, url, { method: 'DELETE' });
    assert.equal(await codeFor(token), undefined);
  });

  it('disconnects the oldest viewer and says why, if it displaces', async () => {
    const { token } = await create({ maxSessions: 1, whenFull: 'displace' });
    const { viewer: oldest } = await view({}, token);
    const { viewer: newest } = await view({}, token);
    assert.deepEqual(await stopOf(oldest), ['displaced', 4006]);
    assert.equal((await newest.command('fly')).code, 'unknown_command');
  });

  it('disconnects nobody for a newer viewer whose media cannot be connected', async () => {
    const { token } = await create({ maxSessions: 1, whenFull: 'displace' });
    const { viewer: oldest } = await view({}, token);
    const failing = await openViewer(token);
    assert.equal((await failing.command('view', { sdp: 'no sdp' })).type, 'error');
    assert.equal((await oldest.command('fly')).code, 'unknown_command');
    assert.equal((await failing.command('view', { sdp: sdpOffer() })).type, 'response');
    assert.deepEqual(await stopOf(oldest), ['displaced', 4006]);
  });

  it('disconnects the viewers who came last when the limit falls, and the first if it displaces', async () => {
    const { id, token } = await create({});
    const viewers = [await openViewer(token), await openViewer(token), await openViewer(token)];
    await app.server.tokens.update(scope, id, { maxSessions: 2 });
    assert.deepEqual(await stopOf(viewers[2]!), ['token_full', 4010]);
    await app.server.tokens.update(scope, id, { maxSessions: 1, whenFull: 'displace' });
    assert.deepEqual(await stopOf(viewers[0]!), ['displaced', 4006]);
    assert.equal((await viewers[1]!.command('fly')).code, 'unknown_command');
  });

  it('explains the refusal', async () => {
    const { id, token } = await create({ maxSessions: 1 });
    await openViewer(token);
    const secret = await app.server.secrets.create('main');
    const response = await fetch(`${app.origin}/api/explain`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'subscribe', tokenId: id, streamName: 'main' }),
    });
    const { data } = JSON.parse(await response.text());
    assert.equal(data.reason, 'token_full');
    assert.deepEqual(data.rules.find(({ rule }: { rule: string }) => rule === 'session-free').looked_at, {
      maxSessions: 1,
      whenFull: 'refuse',
      sessions: 1,
    });
  });

  describe('and signs others', () => {
    const sign = (parent: { id: number; token: string }, claims: Partial<SignedTokenClaims> = {}) =>
      signSubscribeToken(parent, { streamName: 'main', expires: 60, ...claims }, { now: () => NOW });

    it('counts their viewers as its own', async () => {
      const parent = await create({ maxSessions: 1 });
      await openViewer(await sign(parent));
      assert.equal(await codeFor(await sign(parent, { expires: 61 })), 'token_full');
      assert.equal(await codeFor(parent.token), 'token_full');
    });

    it('lets each have a limit of its own, which tokens with the same id share', async () => {
      const parent = await create({});
      const [first, second] = [
        await sign(parent, { maxSessions: 1 }),
        await sign(parent, { maxSessions: 1, expires: 61 }),
      ];
      await openViewer(first);
      assert.deepEqual([await codeFor(first), await codeFor(second)], ['token_full', undefined]);
      await openViewer(await sign(parent, { maxSessions: 1, id: 'visitor 42' }));
      assert.equal(await codeFor(await sign(parent, { maxSessions: 1, id: 'visitor 42', expires: 61 })), 'token_full');
      assert.equal(await codeFor(await sign(parent, { maxSessions: 1, id: 'visitor 43' })), undefined);
    });

    it('displaces the oldest viewer of a full one, if it displaces', async () => {
      const parent = await create({ whenFull: 'displace' });
      const signed = await sign(parent, { maxSessions: 1 });
      const [oldest, other] = [await openViewer(signed), await openViewer(await sign(parent, { expires: 61 }))];
      await view({}, signed);
      assert.deepEqual(await stopOf(oldest), ['displaced', 4006]);
      assert.equal((await other.command('fly')).code, 'unknown_command');
    });
  });
});
