import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../support/cleanup.js';
import { sdpOffer } from '../../support/media/offer.js';
import { askDirector, openSocket, streamServer, type TestServer } from '../../support/stream-server.js';

describe('a change of a token', () => {
  const cleanup = new Cleanup();
  let app: TestServer;

  beforeEach(async () => {
    app = await streamServer(cleanup);
  });
  afterEach(() => cleanup.run());

  const tokens = () => app.server.tokens;
  const scope = { accountId: 'main', kind: 'subscribe' } as const;

  /** A connected viewer, and the token that admitted it. */
  const watching = async (fields: { expires?: number } = {}) => {
    const created = await tokens().create(scope, {
      label: '',
      streams: [{ streamName: 'main', isRegex: false }],
      ...fields,
    });
    const viewer = await openSocket(await askDirector(app, 'subscribe', created.token));
    await viewer.command('view', { sdp: sdpOffer() });
    return { viewer, id: created.id, token: created.token };
  };

  const changes: [what: string, change: (id: number) => Promise<unknown>, code: string][] = [
    ['disabled', (id) => tokens().update(scope, id, { isActive: false }), 'token_disabled'],
    ['deleted', (id) => tokens().delete(scope, id), 'token_unknown'],
    ['refreshed', (id) => tokens().update(scope, id, { refreshToken: true }), 'token_unknown'],
    [
      'removed from the stream',
      (id) => tokens().update(scope, id, { removeTokenStreams: ['main'] }),
      'stream_not_permitted',
    ],
  ];
  for (const [what, change, code] of changes) {
    it(`ends the session of a token that is ${what}, which the director then refuses for the same reason`, async () => {
      const { viewer, id, token } = await watching();
      const unaffected = await watching();
      await change(id);
      const { data } = await viewer.event('stopped');
      assert.equal(data.code, code);
      assert.equal(typeof data.message, 'string');
      assert.equal((await viewer.closed).code, 4010);
      assert.equal((await askDirector(app, 'subscribe', token)).body.data.code, code);
      assert.equal((await unaffected.viewer.command('fly')).code, 'unknown_command');
    });
  }

  it('ends the publisher whose token is disabled', async () => {
    const kind = 'publish';
    const created = await tokens().create(
      { accountId: 'main', kind },
      { label: '', streams: [{ streamName: 'main', isRegex: false }] },
    );
    const publisher = await openSocket(await askDirector(app, 'publish', created.token));
    await publisher.command('publish', { sdp: sdpOffer({ direction: 'sendonly' }) });
    app.engine.sendFrame('main/main');
    const { viewer } = await watching();
    await tokens().update({ accountId: 'main', kind }, created.id, { isActive: false });
    assert.equal((await publisher.event('stopped')).data.code, 'token_disabled');
    await viewer.event('inactive');
  });

  it('refuses a grant if the token was disabled after the director’s answer', async () => {
    const created = await tokens().create(scope, { label: '', streams: [{ streamName: 'main', isRegex: false }] });
    const answer = await askDirector(app, 'subscribe', created.token);
    await tokens().update(scope, created.id, { isActive: false });
    const viewer = await openSocket(answer);
    assert.equal((await viewer.event('stopped')).data.code, 'token_disabled');
    await viewer.closed;
  });

  it('ends viewers without a token when the publisher’s token starts to require one', async () => {
    const kind = 'publish';
    const created = await tokens().create(
      { accountId: 'main', kind },
      { label: '', streams: [{ streamName: 'main', isRegex: false }] },
    );
    const publisher = await openSocket(await askDirector(app, 'publish', created.token));
    await publisher.command('publish', { sdp: sdpOffer({ direction: 'sendonly' }) });
    app.engine.sendFrame('main/main');
    const guest = await openSocket(await askDirector(app, 'subscribe'));
    await guest.command('view', { sdp: sdpOffer() });
    await tokens().update({ accountId: 'main', kind }, created.id, { subscribeRequiresAuth: true });
    assert.equal((await guest.event('stopped')).data.code, 'token_missing');
    assert.equal((await publisher.command('fly')).code, 'unknown_command');
  });
});
