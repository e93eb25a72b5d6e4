import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ManagementClient } from '../../../../src/management.js';
import { firstFilter, TokensState, type TokensView } from '../../../../src/pages/dashboard/tokens/tokens-state.js';
import { Cleanup } from '../../../support/cleanup.js';
import { streamServer, type TestServer } from '../../../support/stream-server.js';

describe('the state of the page of tokens, with a real server', () => {
  const cleanup = new Cleanup();
  let server: TestServer;
  let client: ManagementClient;
  let state: TokensState;
  let view: TokensView;

  beforeEach(async () => {
    server = await streamServer(cleanup);
    client = new ManagementClient({ endpoint: server.origin, secret: await server.server.secrets.create('main') });
    view = { name: 'loading' };
    state = new TokensState(client, (next) => (view = next));
  });
  afterEach(() => cleanup.run());

  const ready = () => {
    assert.equal(view.name, 'ready');
    return view as Extract<TokensView, { name: 'ready' }>;
  };
  const labels = () => ready().tokens.map(({ label }) => label);
  const create = (label: string, streamName = label) =>
    client.subscribeTokens.create({ label, streams: [{ streamName }] });

  it('shows the kind that was selected, and none of the other', async () => {
    await create('lobby');
    await state.load();
    assert.deepEqual(labels(), []);
    await state.select({ ...firstFilter, kind: 'subscribe' });
    assert.deepEqual(labels(), ['lobby']);
  });

  it('finds tokens by a part of their label or stream name', async () => {
    await create('lobby', 'hall');
    await create('stage', 'lobby');
    await create('lobby 2', 'hall 2');
    const wanted = { ...firstFilter, kind: 'subscribe', sort: 'label' } as const;
    await state.select({ ...wanted, search: ' OBB ' });
    assert.deepEqual(labels(), ['lobby', 'lobby 2', 'stage']);
    await state.select({ ...wanted, search: 'nothing' });
    assert.deepEqual(labels(), []);
  });

  it('shows the tokens in one state', async () => {
    await create('works');
    const { id } = await create('does not');
    await client.subscribeTokens.update(id, { isActive: false });
    await state.select({ ...firstFilter, kind: 'subscribe', state: 'disabled' });
    assert.deepEqual(labels(), ['does not']);
    await state.select({ ...firstFilter, kind: 'subscribe', state: 'active' });
    assert.deepEqual(labels(), ['works']);
  });

  it('shows the last of several searches, and no answer of an earlier one', async () => {
    await create('a');
    await create('b');
    const shown: string[] = [];
    state = new TokensState(client, (next) => {
      view = next;
      if (next.name !== 'loading') shown.push(next.name === 'ready' ? next.filter.search : next.name);
    });
    const searches = ['a', 'ab', 'b'].map((search) => state.select({ ...firstFilter, kind: 'subscribe', search }));
    await Promise.all(searches);
    assert.deepEqual([shown, labels()], [['b'], ['b']]);
  });

  it('orders tokens by label in both directions', async () => {
    for (const label of ['b', 'a', 'c']) await create(label);
    await state.select({ ...firstFilter, kind: 'subscribe', sort: 'label' });
    assert.deepEqual(labels(), ['a', 'b', 'c']);
    await state.select({ ...firstFilter, kind: 'subscribe', sort: 'labelDescending' });
    assert.deepEqual(labels(), ['c', 'b', 'a']);
  });

  it('disables a token, enables it, and gives it a new value', async () => {
    const token = await create('lobby');
    await state.select({ ...firstFilter, kind: 'subscribe' });
    await state.setActive(token, 'subscribe', false);
    assert.deepEqual(
      ready().tokens.map(({ isActive }) => isActive),
      [false],
    );
    await state.setActive(token, 'subscribe', true);
    assert.equal(ready().tokens[0]?.isActive, true);
    const fresh = await state.refresh(token, 'subscribe');
    assert.notEqual(fresh.token, token.token);
    assert.equal(ready().tokens[0]?.token, fresh.token);
  });

  it('shows the page before when the last token of a page is deleted', async () => {
    const tokens = [];
    for (let count = 0; count < 21; count += 1) tokens.push(await create(`t${String(count).padStart(2, '0')}`));
    await state.select({ ...firstFilter, kind: 'subscribe', sort: 'label' });
    await state.load(2);
    assert.deepEqual([labels(), ready().page, ready().pages], [['t20'], 2, 2]);
    await state.remove(tokens[20]!, 'subscribe');
    assert.deepEqual([ready().page, ready().pages, ready().tokens.length], [1, 1, 20]);
  });

  it('finds every token that matches, and changes them at once', async () => {
    for (let count = 0; count < 120; count += 1) await create(`t${count}`);
    const other = await create('other');
    await state.select({ ...firstFilter, kind: 'subscribe', search: 'T', sort: 'label' });
    const ids = (await state.matchingIds()).filter((id) => id !== other.id);
    assert.equal(ids.length, 120);
    await state.load(6);
    await client.subscribeTokens.delete(ids[0]!);
    const results = await state.changeSeveral('delete', ids, 'subscribe');
    assert.deepEqual(
      results.filter(({ done }) => !done).map(({ tokenId, code }) => [tokenId, code]),
      [[ids[0], 'token_not_found']],
    );
    assert.deepEqual([labels(), ready().page], [['other'], 1]);
  });

  it('knows how many are connected with tokens, unless the server cannot say', async () => {
    const { id } = await create('lobby');
    assert.equal(await state.openSessions([id], 'subscribe'), 0);
    assert.equal(await state.openSessions([], 'subscribe'), undefined);
  });

  it('names no live stream of a token that publishes none', async () => {
    const token = await client.publishTokens.create({ streams: [{ streamName: 'keynote' }] });
    assert.deepEqual(await state.liveStreams(token), []);
  });

  it('says that nobody is logged in', async () => {
    const stranger = new ManagementClient({ endpoint: server.origin, secret: 'wrong' });
    await new TokensState(stranger, (next) => (view = next)).load();
    assert.equal(view.name, 'session-ended');
  });

  it('says that the server cannot be reached', async () => {
    const away: typeof fetch = () => Promise.reject(new TypeError('fetch failed'));
    const client = new ManagementClient({ endpoint: server.origin, fetch: away });
    await new TokensState(client, (next) => (view = next)).load();
    assert.equal(view.name, 'unreachable');
  });

  it('says that the permission is missing', async () => {
    const { value } = await client.keys.create({ name: 'films', scopes: ['recordings'], expires: null });
    const limited = new ManagementClient({ endpoint: server.origin, secret: value });
    await new TokensState(limited, (next) => (view = next)).load();
    assert.equal(view.name, 'no-permission');
  });
});
