import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ManagementClient } from '../../../../src/management.js';
import { WebhooksState, type WebhooksView } from '../../../../src/pages/dashboard/webhooks/webhooks-state.js';
import { Cleanup } from '../../../support/cleanup.js';
import { streamServer } from '../../../support/stream-server.js';

describe('the state of the page of webhooks, with a real server', () => {
  const cleanup = new Cleanup();
  let state: WebhooksState;
  let views: WebhooksView[];

  beforeEach(async () => {
    const server = await streamServer(cleanup);
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

  it('passes on what the server refuses', async () => {
    await assert.rejects(state.save({ ...draft, url: 'http://127.0.0.1/' }), { code: 'webhook_address_refused' });
  });
});
