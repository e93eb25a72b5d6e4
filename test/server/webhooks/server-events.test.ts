import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { ManagementClient } from '../../../src/management.js';
import { webhookEvent } from '../../../src/wire/webhook-event.js';
import { Cleanup } from '../../support/cleanup.js';
import { sdpOffer } from '../../support/media/offer.js';
import { askDirector, NOW, openSocket, streamServer } from '../../support/stream-server.js';
import { webhookReceiver } from '../../support/webhook-receiver.js';

/** The whole server, and a receiver on the same machine that the operator allows. */
describe('a server with a webhook', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const open = async (env: Record<string, string> = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' }) => {
    const receiver = await webhookReceiver(cleanup);
    const server = await streamServer(cleanup, env);
    const secret = await server.server.secrets.create('main');
    const client = new ManagementClient({ endpoint: server.origin, secret });
    return { receiver, server, client, secret };
  };
  type Opened = Awaited<ReturnType<typeof open>>;

  const goLive = async ({ server }: Pick<Opened, 'server'>) => {
    const broadcaster = await openSocket(await askDirector(server, 'publish', await server.token('publish')));
    cleanup.after(() => broadcaster.socket.terminate());
    await broadcaster.command('publish', { sdp: sdpOffer({ direction: 'sendonly' }) });
    server.engine.sendFrame('main/main');
    return broadcaster;
  };

  it('sends the start and the end of a stream, signed and in order', async () => {
    const { receiver, server, client } = await open();
    const events = ['stream.started', 'stream.ended'] as const;
    const webhook = await client.webhooks.create({ url: receiver.url, events: [...events] });
    await goLive({ server });
    await receiver.received(1);
    await client.streams.stop('main/main');
    await receiver.received(2);
    assert.deepEqual(receiver.types(), events);
    // The clock of the test server is not that of the verifier, which compares times.
    for (const { body, headers } of receiver.calls) {
      const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature } = headers;
      const signed = new Verifier(webhook.signingKey).sign(String(id), new Date(Number(seconds) * 1_000), body);
      assert.equal(signature, signed);
      assert.equal(webhookEvent.parse(JSON.parse(body)).accountId, 'main');
    }
  });

  it('sends the first use of a token, and what was refused when it stops', async () => {
    const { receiver, server, client } = await open();
    await client.webhooks.create({ url: receiver.url, events: ['token.first_used', 'session.refused'] });
    await goLive({ server });
    const [use] = await receiver.received(1);
    assert.equal(JSON.parse(use!.body).data.kind, 'publish');
    await askDirector(server, 'publish', 'f'.repeat(64));
    await askDirector(server, 'publish', 'f'.repeat(64));
    await server.server.close();
    await reopened(server.dataDir);
    await receiver.received(2);
    const refused = JSON.parse(receiver.calls[1]!.body);
    assert.deepEqual(
      [refused.type, refused.accountId, refused.data.refusals, refused.data.groups[0].reason],
      ['session.refused', 'main', 2, 'token_unknown'],
    );
  });
  const reopened = async (dataDir: string, startsOn = NOW) =>
    await streamServer(cleanup, { DATA_DIR: dataDir, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' }, { startsOn });

  it('announces a token that expires within a day', async () => {
    const { receiver, server, client } = await open();
    await client.webhooks.create({ url: receiver.url, events: ['token.expiring'] });
    const token = await client.subscribeTokens.create({ label: 'Anna', streams: [], expires: 7 * 86_400 });
    await server.server.close();
    assert.equal(receiver.calls.length, 0);
    await reopened(server.dataDir, NOW + 6 * 86_400_000 + 1);
    const [call] = await receiver.received(1);
    assert.deepEqual(JSON.parse(call!.body).data, {
      tokenId: token.Id,
      kind: 'subscribe',
      label: 'Anna',
      expiresOn: token.expiresOn,
    });
  });

  it('refuses a receiver on its own machine, unless the operator allows it, and logs no secret', async () => {
    const { receiver, server, client } = await open({});
    const create = async (url: string) => await client.webhooks.create({ url, events: ['stream.started'] });
    await assert.rejects(create(receiver.url), { code: 'webhook_address_refused', status: 400 });
    await assert.rejects(create('http://localhost:1/'), { code: 'webhook_address_refused' });
    await assert.rejects(create('https://user:password@receiver.example/'), { code: 'invalid_request' });
    await assert.rejects(create('ftp://receiver.example/'), { code: 'invalid_request' });
    const { id, signingKey, secret } = await create('https://receiver.example/hooks?token=s3cr3t');
    await client.webhooks.test(id);
    for (;;) {
      const [delivery] = (await client.webhooks.deliveries(id)).deliveries;
      if (delivery!.lastFault !== null) break;
    }
    assert.equal(signingKey, `whsec_${secret}`);
    assert.match(server.log.text, /a call of a webhook failed/);
    for (const value of ['s3cr3t', secret]) assert.ok(!server.log.text.includes(value), value);
  });

  it('answers the calls of the client of the existing service', async () => {
    const { server, secret } = await open();
    const call = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      return (await (await fetch(`${server.origin}${path}`, init)).json()).data;
    };
    // As version 5.0.1 of that client sends them: with a slash at the end of the path.
    const url = 'https://receiver.example/';
    const added = await call('POST', '/api/webhooks/', { url, isFeedHooks: true, isRecordingHooks: false });
    assert.deepEqual(added.events, ['stream.started', 'stream.ended']);
    assert.equal(Buffer.from(added.secret, 'base64').length, 32);
    const { id } = added;
    const updated = await call('PUT', `/api/webhooks/${id}`, {
      isFeedHooks: false,
      isRecordingHooks: true,
      refreshSecret: true,
    });
    assert.deepEqual(
      [updated.isFeedHooks, updated.isRecordingHooks, updated.isClipHooks, updated.isThumbnailHooks],
      [false, true, true, false],
    );
    assert.notEqual(updated.secret, added.secret);
    assert.deepEqual(await call('GET', `/api/webhooks/${id}`), updated);
    const query = `startingId=${id}&itemCount=10&isDescending=false`;
    assert.deepEqual(await call('GET', `/api/webhooks/list?${query}`), [updated]);
    assert.equal((await call('PUT', `/api/webhooks/${id}`, { isThumbnailHooks: true })).code, 'unsupported_field');
    assert.deepEqual(await call('DELETE', `/api/webhooks/${id}`), updated);
    assert.equal((await call('GET', `/api/webhooks/${id}`)).code, 'webhook_not_found');
  });

  it('shows webhooks to their account only, and to nobody without the permission', async () => {
    const { server, client } = await open();
    const { id } = await client.webhooks.create({ url: 'https://receiver.example/', events: [] });
    await server.server.accounts.create('other');
    const other = new ManagementClient({
      endpoint: server.origin,
      secret: await server.server.secrets.create('other'),
    });
    await assert.rejects(other.webhooks.get(id), { code: 'webhook_not_found' });
    await assert.rejects(other.webhooks.test(id), { code: 'webhook_not_found' });
    await assert.rejects(other.webhooks.deliveries(id), { code: 'webhook_not_found' });
    assert.deepEqual(await other.webhooks.list(), []);
    const { value } = await client.keys.create({ name: 'reader', scopes: ['read', 'tokens', 'streams'] });
    const reader = new ManagementClient({ endpoint: server.origin, secret: value });
    await assert.rejects(reader.webhooks.list(), { code: 'permission_missing' });
  });

  it('sends nothing to a webhook that is disabled, and says so', async () => {
    const { receiver, client } = await open();
    const { id } = await client.webhooks.create({ url: receiver.url, events: ['stream.started'] });
    const disabled = await client.webhooks.update(id, { isActive: false });
    assert.equal(disabled.disabled?.reason, 'owner');
    await assert.rejects(client.webhooks.test(id), { code: 'webhook_disabled', status: 409 });
    await client.webhooks.update(id, { reEnable: true });
    await client.webhooks.test(id);
    await receiver.received(1);
    assert.deepEqual(receiver.types(), ['webhook.test']);
  });
});
