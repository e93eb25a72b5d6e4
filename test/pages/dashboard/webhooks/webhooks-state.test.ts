import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ManagementClient } from '../../../../src/management.js';
import { canSend, unreadablePart, webhookName } from '../../../../src/pages/dashboard/webhooks/unreadable-webhook.js';
import { WebhooksState, type WebhooksView } from '../../../../src/pages/dashboard/webhooks/webhooks-state.js';
import { Cleanup } from '../../../support/cleanup.js';
import { streamServer } from '../../../support/stream-server.js';

describe('the state of the page of webhooks, with a real server', () => {
  const cleanup = new Cleanup();
  let state: WebhooksState;
  let views: WebhooksView[];
  let database: string;

  beforeEach(async () => {
    const server = await streamServer(cleanup);
    database = join(server.dataDir, 'streamgate.db');
    const secret = await server.server.secrets.create('main');
    views = [];
    state = new WebhooksState(new ManagementClient({ endpoint: server.origin, secret }), (view) => views.push(view));
  });
  afterEach(() => cleanup.run());

  const shown = () => {
    const view = views.at(-1)!;
    assert.ok(view.name === 'ready');
    return view;
  };
  const draft = {
    id: undefined,
    url: ' https://receiver.example/ ',
    description: 'a',
    events: ['stream.started'],
  } as const;

  it('creates, changes, disables and removes a webhook', async () => {
    const { id } = await state.save(draft);
    assert.deepEqual(
      shown().webhooks.map((one) => [one.id, one.url, one.events]),
      [[id, 'https://receiver.example/', ['stream.started']]],
    );
    await state.save({ ...draft, id, events: [] });
    assert.deepEqual(shown().webhooks[0]?.events, []);
    await state.setActive(id, false);
    assert.equal(shown().webhooks[0]?.isActive, false);
    await state.remove(id);
    assert.deepEqual(shown(), { name: 'ready', webhooks: [], log: undefined });
  });

  it('shows the log with a test and a replay, and the list again', async () => {
    const { id } = await state.save(draft);
    await state.test(id);
    const { log } = shown();
    assert.deepEqual([log?.total, log?.deliveries[0]?.type], [1, 'webhook.test']);
    await state.replay(log!, log!.deliveries[0]!.id);
    assert.equal(shown().log?.total, 2);
    await state.showLog(undefined);
    assert.equal(shown().log, undefined);
  });

  it('shows the list when the webhook of the log is removed', async () => {
    const { id } = await state.save(draft);
    await state.showLog(id);
    await state.remove(id);
    assert.equal(shown().log, undefined);
  });

  const damage = async (column: 'key_sealed' | 'url') => {
    const sqlite = new DatabaseSync(database);
    sqlite.prepare(`update webhook set ${column} = 'damaged'`).run();
    sqlite.close();
    await state.load();
  };
  const condition = () => {
    const [webhook] = shown().webhooks;
    return webhook && [webhookName(webhook), webhook.isActive, canSend(webhook), unreadablePart(webhook)];
  };

  it('tells that a key cannot be read until it is replaced', async () => {
    const { id, url } = await state.save(draft);
    assert.deepEqual(condition(), [url, true, true, undefined]);
    await damage('key_sealed');
    assert.deepEqual(condition(), [url, true, false, 'key']);
    await assert.rejects(state.test(id), { code: 'webhook_key_unreadable' });
    assert.match((await state.rotate(id)).signingKey, /^whsec_./);
    assert.deepEqual(condition(), [url, true, true, undefined]);
  });

  it('names a webhook whose address cannot be read, and removes it', async () => {
    const { id } = await state.save(draft);
    await damage('url');
    assert.deepEqual(condition(), [`#${id}`, true, false, 'row']);
    await state.remove(id);
    assert.deepEqual(shown().webhooks, []);
  });

  it('has a webhook created again for a fault that only a later server knows', async () => {
    const webhook = await state.save(draft);
    assert.equal(unreadablePart({ ...webhook, fault: { code: 'of_a_later_version', message: '' } }), 'row');
  });

  it('passes on what the server refuses', async () => {
    await assert.rejects(state.save({ ...draft, url: 'http://127.0.0.1/' }), { code: 'webhook_address_refused' });
  });
});
