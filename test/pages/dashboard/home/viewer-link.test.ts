import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ManagementClient } from '../../../../src/management.js';
import { HomeState } from '../../../../src/pages/dashboard/home/home-state.js';
import { lifetimeOf } from '../../../../src/pages/dashboard/home/viewer-link-dialog.js';
import { USUAL_LIFETIME, type Lifetime } from '../../../../src/pages/dashboard/home/viewer-link.js';
import { Cleanup } from '../../../support/cleanup.js';
import { NOW, streamServer } from '../../../support/stream-server.js';

describe('the link for viewers of a stream, with a real server', () => {
  const cleanup = new Cleanup();
  let client: ManagementClient;
  let state: HomeState;

  beforeEach(async () => {
    const server = await streamServer(cleanup);
    client = new ManagementClient({ endpoint: server.origin, secret: await server.server.secrets.create('main') });
    state = new HomeState(
      client,
      () => {},
      async () => [],
    );
  });
  afterEach(() => cleanup.run());

  const make = async (streamName: string, lifetime: Lifetime = USUAL_LIFETIME) =>
    await state.createViewerLink(await state.viewerLink(streamName), lifetime);
  const total = async () => (await client.subscribeTokens.list()).total;

  it('is made when the person has said for how long, and not by a look at it', async () => {
    assert.equal((await state.viewerLink('keynote')).token, undefined);
    assert.equal(await total(), 0);
    const { token } = await make('keynote');
    assert.equal(token?.expiresOn, new Date(NOW + 7 * 86_400_000).toISOString());
    assert.deepEqual(token?.streams, [{ streamName: 'keynote', isRegex: false }]);
    assert.equal((await make('forever', null)).token?.expiresOn, null);
  });

  it('is the one that was made before, however often it is asked for', async () => {
    const { token } = await make('keynote');
    for (const _ of [1, 2, 3]) assert.equal((await state.viewerLink('keynote')).token?.token, token?.token);
    assert.equal(await total(), 1);
  });

  it('is another one for another stream, also if its name contains the first one', async () => {
    await make('keynote 2');
    assert.equal((await state.viewerLink('keynote')).token, undefined);
    assert.equal((await state.viewerLink('note 2')).token, undefined);
  });

  it('is no link that stopped working, nor one that somebody has restricted since', async () => {
    for (const change of [{ isActive: false }, { allowedOrigins: ['shop.example'] }, { maxSessions: 1 }]) {
      const { token } = await make('keynote');
      await client.subscribeTokens.update(token!.id, change);
      assert.equal((await state.viewerLink('keynote')).token, undefined, JSON.stringify(change));
    }
  });

  it('lets viewers go back if an active token records the stream', async () => {
    const dvr = async (streamName: string) => (await state.viewerLink(streamName)).dvr;
    const { id } = await client.publishTokens.create({ label: '', streams: [{ streamName: 'talk' }], record: true });
    await client.publishTokens.create({ label: 'talk 2', streams: [{ streamName: 'talk 2' }] });
    assert.deepEqual([await dvr('talk'), await dvr('talk 2')], [true, false]);
    await client.publishTokens.update(id, { isActive: false });
    assert.equal(await dvr('talk'), false);
  });
});

describe('the answer to how long a link works', () => {
  const answer = (value: string) => {
    const form = new FormData();
    form.set('lifetime', value);
    return lifetimeOf(form);
  };

  it('is one of the offered times, or never', () => {
    assert.deepEqual([answer('86400'), answer('')], [86_400, null]);
    assert.equal(answer('1'), USUAL_LIFETIME);
  });
});
