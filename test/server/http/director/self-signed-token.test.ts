import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { signSubscribeToken } from '../../../../src/management/sign-subscribe-token.js';
import { Cleanup } from '../../../support/cleanup.js';
import { askDirector, streamServer, type TestServer } from '../../../support/stream-server.js';

const SCOPE = { accountId: 'main', kind: 'subscribe' } as const;

describe('a self-signed token at the director', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  let parent: { id: number; token: string };

  beforeEach(async () => {
    app = await streamServer(cleanup);
    const streams = [{ streamName: 'main', isRegex: false }];
    parent = await app.server.tokens.create(SCOPE, { label: '', streams });
  });
  afterEach(() => cleanup.run());

  const sign = async (streamName = 'main') =>
    await signSubscribeToken(parent, { streamName, expires: 60 }, { now: () => app.clock.now });
  const view = async (jwt: string, body?: object) => {
    const { status, body: answer } = await askDirector(app, 'subscribe', jwt, body);
    return [status, answer.data.code];
  };

  it('admits to a stream that both tokens permit, of the account of the parent token', async () => {
    assert.deepEqual(await view(await sign(), { streamName: 'main' }), [200, undefined]);
    const other = { streamName: 'other', streamAccountId: 'main' };
    assert.deepEqual(await view(await sign(), other), [401, 'stream_not_permitted']);
    assert.deepEqual(await view(await sign('other'), other), [401, 'stream_not_permitted']);
  });

  it('includes the seconds until the token or its parent expires, whichever is sooner', async () => {
    const jwt = await sign();
    const left = async () => (await askDirector(app, 'subscribe', jwt)).body.data.tokenExpiresIn;
    assert.equal(await left(), 60);
    await app.server.tokens.update(SCOPE, parent.id, { expires: 30 });
    assert.equal(await left(), 30);
  });

  it('expires at its own time', async () => {
    const jwt = await sign();
    app.clock.now += 60_000;
    assert.deepEqual(await view(jwt), [401, 'token_expired']);
  });

  it('is refused once its parent is disabled, refreshed or deleted', async () => {
    const jwt = await sign();
    await app.server.tokens.update(SCOPE, parent.id, { isActive: false });
    assert.deepEqual(await view(jwt), [401, 'token_disabled']);
    await app.server.tokens.update(SCOPE, parent.id, { isActive: true, refreshToken: true });
    assert.deepEqual(await view(jwt), [401, 'token_unknown']);
    await app.server.tokens.delete(SCOPE, parent.id);
    assert.deepEqual(await view(jwt), [401, 'token_unknown']);
  });

  it('cannot be used to publish', async () => {
    const { status, body } = await askDirector(app, 'publish', await sign());
    assert.deepEqual([status, body.data.code], [401, 'token_wrong_kind']);
  });
});
