import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, createServer } from 'node:tls';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { streaming, urls } from '@dolbyio/dolbyio-rest-apis-client';
import { Webhook } from 'standardwebhooks';
import { Cleanup } from '../../../support/cleanup.js';
import { sdpOffer } from '../../../support/media/offer.js';
import { askDirector, openSocket, streamServer, type TestServer } from '../../../support/stream-server.js';
import { webhookReceiver } from '../../../support/webhook-receiver.js';

const certificates = join(import.meta.dirname, '../../../support/certificates');
const certificate = (name: string) => readFileSync(join(certificates, name));
const { director, publishToken, stream, subscribeToken, webhooks } = streaming;
const ALL = ['AddedOn', 1, 100] as const;

// The client always calls port 443 by HTTPS, so its connections are led to a port of the test.
describe('the REST client of the existing service', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  let secret: string;

  beforeEach(async () => {
    const env = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' };
    // The receiver compares the time of a call with its own.
    app = await streamServer(cleanup, env, { startsOn: Date.now(), isRunning: true });
    secret = await app.server.secrets.create('main');
    const identity = { cert: certificate('trusted.pem'), key: certificate('server.key.pem') };
    const proxy = createServer(identity, (client) => {
      const server = connect(app.port, '127.0.0.1');
      client.on('error', () => server.destroy()).on('close', () => server.destroy());
      client.pipe(server).pipe(client);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    cleanup.after(() => proxy.close());
    const { port } = proxy.address() as AddressInfo;
    const { globalAgent } = https;
    https.globalAgent = new https.Agent();
    https.globalAgent.createConnection = () =>
      connectTls({ host: '127.0.0.1', port, ca: certificate('authority.pem') });
    cleanup.after(() => (https.globalAgent = globalAgent));
    urls.initialize({ rts: '127.0.0.1', rtsDirector: '127.0.0.1' });
  });
  afterEach(() => cleanup.run());

  it('creates, reads, lists, changes and deletes publish tokens', async () => {
    const streams = [{ streamName: 'main', isRegex: false }];
    const created = await publishToken.create(secret, { label: 'studio', streams, subscribeRequiresAuth: true });
    const id = Number(created.id);
    assert.deepEqual(created.streams, streams);
    assert.equal(created.subscribeRequiresAuth, true);
    assert.deepEqual(await publishToken.read(secret, id), created);
    assert.deepEqual(await publishToken.list(secret, ...ALL), [created]);
    const added = [{ streamName: '^show-[0-9]+$', isRegex: true }];
    const changed = await publishToken.update(secret, id, {
      label: 'stage',
      addTokenStreams: added,
      updateAllowedOrigins: ['example.com'],
    });
    assert.deepEqual([changed.label, changed.streams], ['stage', [...streams, ...added]]);
    assert.deepEqual(changed.allowedOrigins, ['example.com']);
    assert.equal(changed.token, created.token);
    const refreshed = await publishToken.update(secret, id, { refreshToken: true });
    assert.notEqual(refreshed.token, created.token);
    assert.deepEqual((await publishToken.disable(secret, [id])).successfulTokens, [id]);
    assert.equal((await publishToken.read(secret, id)).isActive, false);
    assert.equal(await publishToken.deleteToken(secret, id), true);
    assert.deepEqual(await publishToken.list(secret, ...ALL), []);
  });

  it('creates, reads, lists, changes and deletes subscribe tokens', async () => {
    const streams = [{ streamName: '.*', isRegex: true }];
    const created = await subscribeToken.create(secret, { label: 'readers', streams, expires: 3_600 });
    const id = Number(created.id);
    assert.equal(Date.parse(String(created.expiresOn)) - Date.parse(String(created.addedOn)), 3_600_000);
    assert.deepEqual(await subscribeToken.read(secret, id), created);
    assert.deepEqual(await subscribeToken.list(secret, ...ALL), [created]);
    const changed = await subscribeToken.update(secret, id, { isActive: false, removeTokenStreams: streams });
    assert.deepEqual([changed.isActive, changed.streams], [false, []]);
    assert.equal(await subscribeToken.deleteToken(secret, id), true);
    await assert.rejects(subscribeToken.read(secret, id), (refusal: string) => refusal.includes('404'));
  });

  it('asks the director, finds the token of a live stream and stops it', async () => {
    const token = await app.token('publish');
    const answer = await director.publish(token, 'main');
    assert.deepEqual([answer.urls.length, answer.streamAccountId], [1, 'main']);
    const publisher = await openSocket(await askDirector(app, 'publish', token, { streamName: 'main' }));
    await publisher.command('publish', { sdp: sdpOffer({ direction: 'sendonly' }) });
    app.engine.sendFrame('main/main');
    assert.equal((await director.subscribe('main', 'main')).urls.length, 1);
    const [{ id }] = (await publishToken.list(secret, ...ALL)) as [streaming.PublishToken];
    assert.deepEqual((await publishToken.getActivePublishTokenId(secret, 'main/main')).tokenIds, [Number(id)]);
    assert.deepEqual((await publishToken.getAllActivePublishTokenId(secret)).tokenIds, [Number(id)]);
    assert.deepEqual(await stream.stop(secret, 'main/main'), { stoppingLevel: 'Stream' });
    await publisher.event('stopped');
    assert.deepEqual(await stream.stopAll(secret), { stoppingLevel: 'None' });
  });

  it('adds, reads, lists, changes and removes webhooks, and receives their calls', async () => {
    const receiver = await webhookReceiver(cleanup);
    const switches = { isFeedHooks: true, isRecordingHooks: false };
    const added = await webhooks.add(secret, { url: receiver.url, ...switches });
    assert.deepEqual(
      [added.url, added.isFeedHooks, added.isRecordingHooks, added.isClipHooks],
      [receiver.url, true, false, false],
    );
    assert.deepEqual(await webhooks.read(secret, added.id), added);
    const listed = await webhooks.list(secret, { startingId: 0, itemCount: 10, isDescending: true });
    assert.deepEqual(
      listed.map(({ id }) => id),
      [added.id],
    );

    const token = await app.token('publish');
    const publisher = await openSocket(await askDirector(app, 'publish', token, { streamName: 'main' }));
    await publisher.command('publish', { sdp: sdpOffer({ direction: 'sendonly' }) });
    app.engine.sendFrame('main/main');
    const [call] = await receiver.received(1);
    assert.equal(JSON.parse(call!.body).type, 'stream.started');
    new Webhook(added.secret).verify(call!.body, call!.headers as Record<string, string>);

    const changed = await webhooks.update(secret, added.id, {
      isFeedHooks: false,
      isRecordingHooks: true,
      refreshSecret: true,
    });
    assert.deepEqual([changed.isFeedHooks, changed.isRecordingHooks], [false, true]);
    assert.notEqual(changed.secret, added.secret);
    await webhooks.remove(secret, added.id);
    assert.deepEqual(await webhooks.list(secret, {}), []);
  });

  it('is refused with the code and a sentence', async () => {
    const refusal = (call: Promise<unknown>) => call.then(() => 'nothing', String);
    assert.match(await refusal(publishToken.list('none', ...ALL)), /code 401 and description: .*"code":"secret_/);
    const all = { url: 'https://example.com', isFeedHooks: true, isRecordingHooks: true, isThumbnailHooks: true };
    assert.match(await refusal(webhooks.add(secret, all)), /code 400 and description: .*unsupported_field/);
  });
});
