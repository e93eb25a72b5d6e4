import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ManagementClient } from '../../../../src/management.js';
import { AuditState, changedFields, type AuditView } from '../../../../src/pages/dashboard/audit/audit-state.js';
import { Cleanup } from '../../../support/cleanup.js';
import { streamServer } from '../../../support/stream-server.js';

describe('the state of the audit page, with a real server', () => {
  const cleanup = new Cleanup();
  let client: ManagementClient;
  let views: AuditView[];
  let state: AuditState;

  beforeEach(async () => {
    const { server, origin } = await streamServer(cleanup);
    client = new ManagementClient({ endpoint: origin, secret: await server.secrets.create('main') });
    views = [];
    state = new AuditState(client, (view) => views.push(view));
  });
  afterEach(() => cleanup.run());
  const actions = () => {
    const view = views.at(-1);
    assert.equal(view?.name, 'ready');
    return view.entries.map(({ action }) => action);
  };

  it('shows all changes, the newest first, and those of one kind', async () => {
    const { Id } = await client.publishTokens.create({ label: 'a', streams: [{ streamName: 'main' }] });
    await client.publishTokens.update(Id, { label: 'b' });
    await state.load();
    assert.deepEqual(actions().slice(0, 2), ['token_changed', 'token_created']);
    await state.select('token_created');
    assert.deepEqual(actions(), ['token_created']);
    await state.select('key_revoked');
    assert.deepEqual(actions(), []);
  });

  it('shows only the answer to the latest question', async () => {
    await Promise.all([state.load(), state.select('secret_created')]);
    assert.equal(views.length, 1);
    assert.deepEqual(actions(), ['secret_created']);
  });
});

it('the fields of a change have their values before and after, as text', () => {
  assert.deepEqual(changedFields({ before: { label: 'a', isActive: true }, after: { label: 'b', streams: ['x'] } }), [
    { name: 'label', before: 'a', after: 'b' },
    { name: 'isActive', before: 'true', after: undefined },
    { name: 'streams', before: undefined, after: '["x"]' },
  ]);
  assert.deepEqual(changedFields({ before: null, after: null }), []);
});
