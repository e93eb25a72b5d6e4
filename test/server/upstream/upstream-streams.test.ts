import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { waitingEvent } from '../../../src/wire/websocket/stream-events.js';
import { ManagementClient } from '../../../src/management.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { locationOf, refusalOf, whep, whip } from '../../support/ingest-client.js';
import { RtpPeer } from '../../support/media/rtp-peer.js';
import { until } from '../../support/media/until.js';
import { askDirector, openSocket, streamServer, type TestServer } from '../../support/stream-server.js';
import { upstreamServer } from '../../support/upstream-server.js';
import { publishing, viewing, websocketSessions } from '../../support/websocket-sessions.js';
import { whipEndpoint } from '../../support/whip-endpoint.js';

describe('a server whose account has another Streamgate as its upstream', { timeout: 180_000 }, () => {
  const upstreamCleanup = new Cleanup();
  const cleanup = new Cleanup();
  let there: Awaited<ReturnType<typeof upstreamServer>>;
  let app: TestServer;
  let client: ManagementClient;

  before(async () => {
    there = await upstreamServer(upstreamCleanup);
  });
  after(() => upstreamCleanup.run());
  beforeEach(async () => {
    const recordings = { RECORDINGS_DIR: join(await dataFolder(cleanup), 'recordings') };
    app = await streamServer(cleanup, { UPSTREAM_ALLOWED_NETWORKS: '127.0.0.1', ...recordings }, { isRunning: true });
    client = new ManagementClient({ endpoint: app.origin, secret: await app.server.secrets.create('main') });
    await client.upstreams.set(settings());
  });
  afterEach(() => cleanup.run());

  const settings = () => {
    const { software, urls, tokens } = there.upstream;
    return {
      software,
      publishUrl: urls.publish,
      viewUrl: urls.view,
      statusUrl: urls.status,
      publishToken: tokens.publish,
      viewToken: tokens.view,
      statusToken: tokens.status,
    };
  };
  const sessions = websocketSessions(() => app);

  const peerOf = async (role: 'publisher' | 'viewer'): Promise<RtpPeer> => {
    const peer = await RtpPeer.open({ role });
    cleanup.after(() => peer.close());
    return peer;
  };
  /** A publisher whose media arrives at the upstream. */
  const goLive = async (token?: string) => {
    const peer = await peerOf('publisher');
    const { publisher, answer } = await sessions.publish({ sdp: peer.offer }, {}, token);
    await peer.accept({ answer: answer.sdp });
    await until('the stream is live here', async () => {
      peer.sendFrame();
      return (await client.streams.live()).length > 0;
    });
    return { publisher, peer };
  };

  it('has the media go there, and its own engine carries none', async () => {
    const { peer: publisher } = await goLive();
    const viewer = await peerOf('viewer');
    const { answer } = await sessions.view({ sdp: viewer.offer });
    await viewer.accept({ answer: answer.sdp });
    await until('the viewer receives video', () => (publisher.sendFrame(), viewer.received('video') > 0));
    assert.deepEqual(await there.openSessions('main'), { publisher: 1, viewer: 1 });
    assert.deepEqual((await app.engine.stats('main/main')).viewers, 0);
    await until('the viewer is counted', async () => (await client.streams.live())[0]?.viewers === 1);
  });

  it('has a viewer wait on the websocket, and answers when the stream is live', async () => {
    const waiting = await openSocket(await askDirector(app, 'subscribe', await app.token('subscribe')));
    const peer = await peerOf('viewer');
    const answering = waiting.command('view', {
      ...viewing,
      sdp: peer.offer,
      events: ['active', 'viewercount'],
    });
    assert.deepEqual(waitingEvent.parse((await waiting.event('waiting')).data), { streamId: 'main/main' });
    const { peer: publisher } = await goLive();
    const { data } = await answering;
    await peer.accept({ answer: data.sdp });
    await until('the viewer receives video', () => (publisher.sendFrame(), peer.received('video') > 0));
    assert.deepEqual(
      waiting.events().filter((name) => name !== 'viewercount'),
      ['waiting', 'active'],
    );
  });

  it('starts a viewer with the call to the director only where the stream is live', async () => {
    const token = await app.token('subscribe');
    const call = { streamName: 'main', streamAccountId: 'main', view: { sdp: viewing.sdp, events: [] } };
    assert.equal((await askDirector(app, 'subscribe', token, call)).body.data.view, undefined);
    await goLive();
    assert.match((await askDirector(app, 'subscribe', token, call)).body.data.view.sdp, /^v=0/);
  });

  it('ends the sessions there when a token is revoked here', async () => {
    const tokenOf = (kind: 'publish' | 'subscribe') =>
      app.server.tokens.create(
        { accountId: 'main', kind },
        { label: '', streams: [{ streamName: 'main', isRegex: false }] },
      );
    const [publishing, subscribing] = [await tokenOf('publish'), await tokenOf('subscribe')];
    const { publisher } = await goLive(publishing.token);
    const { viewer } = await sessions.view({}, subscribing.token);
    assert.deepEqual(await there.openSessions('main'), { publisher: 1, viewer: 1 });
    await app.server.tokens.update({ accountId: 'main', kind: 'subscribe' }, subscribing.id, { isActive: false });
    assert.equal((await viewer.event('stopped')).data.code, 'token_disabled');
    await until('the viewer is gone there', async () => (await there.openSessions('main')).viewer === 0);
    await app.server.tokens.update({ accountId: 'main', kind: 'publish' }, publishing.id, { isActive: false });
    assert.equal((await publisher.event('stopped')).data.code, 'token_disabled');
    await until('the publisher is gone there', async () => (await there.openSessions('main')).publisher === 0);
  });

  it('ends the session of a viewer that leaves, and of one that is revoked while it waits', async () => {
    const token = await app.server.tokens.create(
      { accountId: 'main', kind: 'subscribe' },
      { label: '', streams: [{ streamName: 'main', isRegex: false }] },
    );
    const waiting = await sessions.openViewer(token.token);
    const answering = assert.rejects(waiting.command('view', { ...viewing, events: ['waiting'] }));
    await waiting.event('waiting');
    await app.server.tokens.update({ accountId: 'main', kind: 'subscribe' }, token.id, { isActive: false });
    assert.equal((await waiting.event('stopped')).data.code, 'token_disabled');
    await answering;
    await goLive();
    const { viewer } = await sessions.view();
    await until('it watches there', async () => (await there.openSessions('main')).viewer === 1);
    await viewer.command('unview');
    await until('it is gone there', async () => (await there.openSessions('main')).viewer === 0);
  });

  it('takes WHIP and WHEP too, but no viewer before the stream is live: HTTP does not wait', async () => {
    const publish = await app.token('publish');
    const subscribe = await app.token('subscribe');
    assert.deepEqual(refusalOf(await whep(app, { token: subscribe })).slice(0, 2), [409, 'stream_not_live']);
    const peer = await peerOf('publisher');
    const session = await whip(app, { token: publish, body: peer.offer });
    await peer.accept({ answer: session.text });
    await until('a player is answered', async () => {
      peer.sendFrame();
      return (await whep(app, { token: subscribe })).status === 201;
    });
    await fetch(new URL(locationOf(session), app.origin), { method: 'DELETE' });
    await until('all are gone there', async () => {
      const { publisher, viewer } = await there.openSessions('main');
      return publisher + viewer === 0;
    });
  });

  it('says what the stream does not have', async () => {
    const [upstream] = await client.upstreams.list();
    assert.deepEqual(upstream?.unsupported, [
      'layers',
      'viewerCounts',
      'resume',
      'keepsViewers',
      'frames',
      'answersWaiting',
      'limitsBitrate',
      'measuresBitrate',
    ]);
    const token = await app.token('publish', { record: true });
    const call = await askDirector(app, 'publish', token);
    assert.equal(call.body.data.record, false);
    const { publisher } = await goLive(token);
    assert.equal((await publisher.command('record')).code, 'engine_unsupported');
    assert.equal((await publisher.command('renew', { sdp: publishing.sdp })).code, 'engine_unsupported');
    const { viewer } = await sessions.view();
    assert.equal((await viewer.command('select', { layer: { encodingId: '1' } })).code, 'engine_unsupported');
    const second = await sessions.openPublisher({ sourceId: 'cam' });
    assert.equal((await second.command('publish', { ...publishing, sourceId: 'cam' })).code, 'engine_unsupported');
  });

  it('passes a refusal of the upstream on', async () => {
    const endpoint = await whipEndpoint(cleanup);
    const { urls, tokens, software } = endpoint.upstream;
    await client.upstreams.set({
      software,
      streamName: 'main',
      publishUrl: urls.publish,
      viewUrl: urls.view,
      statusUrl: urls.status,
      publishToken: tokens.publish,
    });
    const refused: unknown[] = [];
    for (const status of [401, 409, 503]) {
      endpoint.respond['POST'] = (response) => response.writeHead(status).end();
      refused.push(refusalOf(await whip(app, { token: await app.token('publish') })).slice(0, 2));
    }
    assert.deepEqual(refused, [
      [502, 'upstream_refused'],
      [409, 'stream_in_use'],
      [503, 'engine_unavailable'],
    ]);
    assert.match(app.log.text, /an upstream did not accept a session/);
    assert.doesNotMatch(app.log.text, /publish-token/);
  });

  it('has its sessions connect again where a change of the upstream concerns them', async () => {
    const other = await sessions.openPublisher({ streamName: 'other' }, await app.token('publish', anyName));
    await other.command('publish', { ...publishing, name: 'other' });
    const { publisher } = await sessions.publish();
    await client.upstreams.set({ ...settings(), streamName: 'main', viewUrl: `${there.upstream.urls.view}?x=1` });
    assert.equal((await publisher.event('stopped')).data.code, 'media_engine_restarted');
    await client.upstreams.remove('main');
    assert.equal((await client.upstreams.list()).length, 1);
    await client.upstreams.remove(null);
    assert.equal((await other.event('stopped')).data.code, 'media_engine_restarted');
    // The server carries it again.
    await sessions.publish();
    app.engine.sendFrame('main/main');
    assert.equal((await app.engine.stats('main/main')).live, true);
  });

  it('takes no upstream in a private network that the operator does not allow, and shows no token', async () => {
    const refused = client.upstreams.set({ ...settings(), statusUrl: 'http://10.0.0.1/{name}' });
    await assert.rejects(refused, { code: 'upstream_address_refused', status: 400 });
    await assert.rejects(client.upstreams.remove('nothing'), { code: 'upstream_not_found' });
    const { tokens } = there.upstream;
    const shown = JSON.stringify([await client.upstreams.list(), await client.oversight.audit()]);
    for (const token of Object.values(tokens)) assert.equal(shown.includes(token!), false);
  });
});

const anyName = { streams: [{ streamName: '.*', isRegex: true }] };
