import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ManagementClient } from '../../../../src/management.js';
import { cureOf } from '../../../../src/pages/dashboard/refusals/refusal-cure.js';
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
    assert.deepEqual(
      ready().groups.map(({ tokenLabel, reason, refusals }) => [tokenLabel, reason, refusals]),
      [['shop', 'origin_not_allowed', 1]],
    );
    assert.equal((await state.explain(refusal)).reason, 'origin_not_allowed');

    const cure = cureOf(refusal)!;
    assert.deepEqual([await state.cure(cure), await state.cure(cure)], ['change', 'already']);
    assert.equal((await state.explain(refusal)).allowed, true);
    assert.deepEqual((await client.subscribeTokens.get(token.id)).allowedOrigins, ['example.com', 'other.test']);
    await state.select({ reason: 'token_expired', streamName: '' });
    assert.equal(ready().total, 0);
  });

  const askWith = (token: string, streamName = 'main') =>
    fetch(`${server.origin}/api/director/subscribe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ streamName, streamAccountId: 'main' }),
    });

  it('offers the streams of a group of refusals, the latest first, and adds the chosen one', async () => {
    const { id, token } = await client.subscribeTokens.create({ streams: [{ streamName: 'other' }] });
    for (const streamName of ['one', 'two', 'one']) await askWith(token, streamName);
    await state.load();
    const [group] = ready().groups;
    assert.deepEqual([group?.reason, group?.refusals], ['stream_not_permitted', 3]);
    const cure = cureOf(group!)!;
    assert.deepEqual(await state.valuesFor(cure), ['one', 'two']);
    assert.equal(await state.cure({ ...cure, value: 'two' }), 'change');
    const { streams } = await client.subscribeTokens.get(id);
    assert.deepEqual(
      streams.map(({ streamName }) => streamName),
      ['other', 'two'],
    );
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
