import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { sdpOffer } from '../../../support/media/offer.js';
import { askDirector, openSocket, streamServer, type TestServer } from '../../../support/stream-server.js';

describe('/api/stream/stop', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  let secret: string;

  beforeEach(async () => {
    app = await streamServer(cleanup);
    secret = await app.server.secrets.create('main');
  });
  afterEach(() => cleanup.run());

  const call = async (path: string, body?: object) => {
    const response = await fetch(`${app.origin}/api/stream/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, data: (await response.json()).data };
  };

  const goLive = async (streamName: string) => {
    const token = await app.token('publish', { streams: [{ streamName, isRegex: false }] });
    const publisher = await openSocket(await askDirector(app, 'publish', token, { streamName }));
    await publisher.command('publish', { sdp: sdpOffer({ direction: 'sendonly' }) });
    app.engine.sendFrame(`main/${streamName}`);
    return publisher;
  };

  it('ends one broadcast and sends the broadcaster the reason', async () => {
    const [one, other] = [await goLive('one'), await goLive('other')];
    assert.deepEqual(await call('stop', { streamId: 'main/one' }), { status: 200, data: { stoppingLevel: 'Stream' } });
    assert.equal((await one.event('stopped')).data.code, 'stopped_by_owner');
    assert.equal((await one.closed).code, 4004);
    assert.equal((await other.command('fly')).code, 'unknown_command');
  });

  it('ends every broadcast of the account', async () => {
    const publishers = [await goLive('one'), await goLive('other')];
    assert.deepEqual((await call('stop/all')).data, { stoppingLevel: 'Account' });
    for (const publisher of publishers) assert.equal((await publisher.event('stopped')).data.code, 'stopped_by_owner');
  });

  it('reports that nothing was live', async () => {
    assert.deepEqual((await call('stop', { streamId: 'main/one' })).data, { stoppingLevel: 'None' });
    assert.deepEqual((await call('stop/all')).data, { stoppingLevel: 'None' });
  });

  it('does not stop streams of another account', async () => {
    const publisher = await goLive('one');
    await app.server.accounts.create('other');
    secret = await app.server.secrets.create('other');
    const { status, data } = await call('stop', { streamId: 'main/one' });
    assert.equal(status, 404);
    assert.equal(data.code, 'stream_not_found');
    assert.deepEqual((await call('stop/all')).data, { stoppingLevel: 'None' });
    assert.equal((await publisher.command('fly')).code, 'unknown_command');
  });

  it('refuses a caller without the secret', async () => {
    secret = 'sg_wrong';
    assert.equal((await call('stop/all')).status, 401);
  });
});
