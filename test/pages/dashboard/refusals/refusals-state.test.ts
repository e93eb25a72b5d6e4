import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ManagementClient } from '../../../../src/management.js';
import { originCure } from '../../../../src/pages/dashboard/refusals/origin-cure.js';
import { RefusalsState, type RefusalsView } from '../../../../src/pages/dashboard/refusals/refusals-state.js';
import { Cleanup } from '../../../support/cleanup.js';
import { streamServer, type TestServer } from '../../../support/stream-server.js';

describe('the state of the page of refusals, with a real server', () => {
  const cleanup = new Cleanup();
  let server: TestServer;
  let client: ManagementClient;
  let state: RefusalsState;
  let view: RefusalsView;

  beforeEach(async () => {
    server = await streamServer(cleanup);
    client = new ManagementClient({ endpoint: server.origin, secret: await server.server.secrets.create('main') });
    view = { name: 'loading' };
    state = new RefusalsState(client, (next) => (view = next));
  });
  afterEach(() => cleanup.run());

  const ready = () => {
    assert.equal(view.name, 'ready');
    return view as Extract<RefusalsView, { name: 'ready' }>;
  };

  it('is empty before anything is refused', async () => {
    await state.load();
    assert.deepEqual([ready().total, ready().refusals], [0, []]);
  });

  it('says that nobody is logged in', async () => {
    const stranger = new ManagementClient({ endpoint: server.origin, secret: 'wrong' });
    await new RefusalsState(stranger, (next) => (view = next)).load();
    assert.equal(view.name, 'session-ended');
  });

  it('shows a refused website, explains it, and allows it', async () => {
    const token = await client.subscribeTokens.create({
      label: 'shop',
      streams: [{ streamName: 'main' }],
      allowedOrigins: ['example.com'],
    });
    const refused = await fetch(`${server.origin}/api/director/subscribe`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token.token}`,
        origin: 'https://other.test',
      },
      body: JSON.stringify({ streamName: 'main', streamAccountId: 'main' }),
    });
    assert.equal(refused.status, 401);
    await state.select({ reason: 'origin_not_allowed', streamName: 'main' });
    const [refusal] = ready().refusals;
    assert.ok(refusal);
    assert.equal(refusal.tokenLabel, 'shop');
    assert.equal(ready().groups[0]?.tokenLabel ?? 'shop', 'shop');
    assert.equal((await state.explain(refusal)).reason, 'origin_not_allowed');

    await state.allowOrigin(originCure(refusal)!);
    assert.equal((await state.explain(refusal)).allowed, true);
    assert.deepEqual((await client.subscribeTokens.get(token.id)).allowedOrigins, ['example.com', 'other.test']);
    await state.select({ reason: 'token_expired', streamName: '' });
    assert.equal(ready().total, 0);
  });

  const askWith = (token: string) =>
    fetch(`${server.origin}/api/director/subscribe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ streamName: 'main', streamAccountId: 'main' }),
    });

  it('says of a token that does not exist that it is still refused, and not that it exists', async () => {
    await askWith('0'.repeat(64));
    await state.load();
    const [refusal] = ready().refusals;
    assert.equal(refusal?.reason, 'token_unknown');
    const { allowed, reason, rules } = await state.explain(refusal!);
    assert.deepEqual([allowed, reason], [false, 'token_unknown']);
    assert.deepEqual(rules.find(({ rule }) => rule === 'token-known')?.allowed, false);
    assert.equal(rules.find(({ rule }) => rule === 'token-active')?.applies, false);
  });

  it('says of a token that was deleted since that it does not exist any more', async () => {
    const token = await client.subscribeTokens.create({ streams: [{ streamName: 'other' }] });
    await askWith(token.token);
    await client.subscribeTokens.delete(token.id);
    await state.load();
    const [refusal] = ready().refusals;
    assert.deepEqual([refusal?.reason, refusal?.tokenId], ['stream_not_permitted', token.id]);
    assert.equal((await state.explain(refusal!)).reason, 'token_unknown');
  });
});
