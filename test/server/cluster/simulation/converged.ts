import assert from 'node:assert/strict';
import { ViewerSession } from '../../../../server/sessions/viewer-session.js';
import type { StreamId } from '../../../../server/streams/stream-id.js';
import { STREAM_IDS, type SimulatedCluster } from './simulated-cluster.js';
import { ACCOUNT, type SimulatedServer } from './simulated-server.js';

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** What must hold a while after all works again, while clients are there. */
export async function assertConverged(
  cluster: SimulatedCluster,
  tokens: readonly { readonly id: number; readonly maxSessions?: number }[],
): Promise<void> {
  const { servers, database } = cluster;
  assert.equal(servers.length, cluster.places.length, 'every server runs');
  for (const streamId of STREAM_IDS) await assertStream(cluster, streamId);
  for (const { id, maxSessions = 0 } of tokens) {
    const counts = servers.map(({ viewings }) => viewings.countOf(ACCOUNT, id));
    const all = sum(servers.map(({ viewings }) => viewings.all.filter(({ tokenId }) => tokenId === id).length));
    assert.deepEqual(new Set(counts), new Set([all]), `every server counts the viewings of token ${id}`);
    if (maxSessions > 0) assert.ok(all <= maxSessions, `${all} watch with token ${id}`);
    const revisions = servers.map(({ directory }) => directory.findById(id)?.revision);
    assert.deepEqual(new Set(revisions), new Set([database.tokens.get(id)!.revision]), `every server has token ${id}`);
  }
  const total = sum(servers.map(({ sessions }) => sessions.count));
  for (const { accountSessions, id } of servers) {
    assert.equal(accountSessions.total(ACCOUNT), total, `${id} counts the sessions of the account`);
  }
}

async function assertStream(cluster: SimulatedCluster, streamId: StreamId): Promise<void> {
  const { servers, database, links, clients, nodeRelay } = cluster;
  const holders = servers.filter(({ streams }) => streams.sessionsOf(streamId).length > 0);
  assert.equal(holders.length, 1, `one server has ${streamId}`);
  const holder = holders[0]!;
  const leases = (await database.store.leases()).filter(
    (lease) => `${lease.accountId}/${lease.streamName}` === streamId,
  );
  const leased = leases.map(({ sessionId, node, liveOn }) => [sessionId, node.id, liveOn !== null]);
  const published = holder.streams.sessionsOf(streamId).map((sessionId) => [sessionId, holder.id, true]);
  assert.deepEqual(leased.toSorted(), published.toSorted(), `the leases of ${streamId}`);
  const openLinks = links.open.filter((link) => link.stream === streamId);
  for (const server of servers) {
    const known = server.cluster.streams.find(streamId);
    if (server === holder) assert.equal(known, undefined, `${server.id} has ${streamId} itself`);
    else assert.deepEqual([known?.node.id, known?.live], [holder.id, true], `${server.id} knows where ${streamId} is`);
    assert.equal(server.streams.endOf(streamId), undefined, `${server.id} knows of no end of ${streamId}`);
    const interrupted = known?.sources.filter(({ isInterrupted }) => isInterrupted) ?? [];
    assert.deepEqual(interrupted, [], `${server.id} takes no source of ${streamId} for interrupted`);
    const received = openLinks.filter(({ edge }) => edge === server.engine);
    for (const { origin } of received)
      assert.equal(origin, holder.engine, 'it is received from the server that has it');
    const isWatched = server !== holder && server.streams.hasViewers(streamId);
    if (isWatched) assert.equal(received.length, 1, `${server.id} receives ${streamId} for its viewers`);
    const elsewhere = servers.filter((other) => other !== server);
    const viewers = sum(elsewhere.map(({ engine }) => engine.viewerIds(streamId).length));
    if (nodeRelay)
      assert.equal(server.cluster.viewersElsewhere(streamId), viewers, `${server.id} counts viewers elsewhere`);
  }
  for (const { options, connectedTo, session, isLive } of clients) {
    if (options.role === 'publish' || `${ACCOUNT}/${options.streamName}` !== streamId || !connectedTo) continue;
    assert.ok(session instanceof ViewerSession && !session.ended && isLive, `a viewer watches ${streamId}`);
    if (!nodeRelay) assert.equal(connectedTo.id, holder.id, `a viewer is where ${streamId} is`);
  }
  const unlimited = clients.filter(({ options }) => options.role === 'subscribe' && options.token.token.endsWith('2'));
  for (const { connectedTo } of unlimited) assert.ok(connectedTo, 'every viewer is connected');
}

/** What must hold a while after the last viewer has left. */
export function assertUnwatched({ servers, links }: SimulatedCluster): void {
  assert.deepEqual(
    links.open.map(({ stream }) => stream),
    [],
    'nothing is received for nobody',
  );
  for (const { id, viewings } of servers) {
    const counts = [2, 3, 4].map((tokenId) => viewings.countOf(ACCOUNT, tokenId));
    assert.deepEqual(counts, [0, 0, 0], `${id} counts viewings`);
  }
}

/** What must hold a while after the last client has left. */
export async function assertEmpty(cluster: SimulatedCluster): Promise<void> {
  const { servers, database } = cluster;
  assert.deepEqual(await database.store.leases(), []);
  const { nodes } = await database.store.beat({ id: '', epoch: 0 });
  const running = servers.map(({ id }) => id).toSorted();
  assert.deepEqual(nodes.map(({ id }) => id).toSorted(), running, 'the database has the servers that run');
  const left = ({ id, cluster: others, streams, engine, sessions, viewings, accountSessions }: SimulatedServer) => ({
    id,
    known: others.streams.ofAccount(ACCOUNT),
    published: STREAM_IDS.flatMap((streamId) => streams.sessionsOf(streamId)),
    media: engine.publishers.size,
    sessions: sessions.count,
    viewings: viewings.all.length + sum([2, 3, 4].map((tokenId) => viewings.countOf(ACCOUNT, tokenId))),
    ofAccount: accountSessions.total(ACCOUNT),
    viewersElsewhere: sum(STREAM_IDS.map((streamId) => others.viewersElsewhere(streamId))),
  });
  const ends = await database.store.ends();
  for (const { id, streams } of servers) {
    const known = STREAM_IDS.flatMap((streamId) => streams.endOf(streamId)?.endedOn ?? []);
    assert.deepEqual(known.toSorted(), ends.map(({ endedOn }) => endedOn).toSorted(), `${id} knows how streams ended`);
  }
  const nothing = { known: [], published: [], media: 0, sessions: 0, viewings: 0, ofAccount: 0, viewersElsewhere: 0 };
  for (const server of servers) assert.deepEqual(left(server), { id: server.id, ...nothing });
  for (const [nodeId, told] of Map.groupBy(database.store.announced, ([, id]) => id)) {
    const types = told.map(([type]) => type);
    const expected = types.map((_, index) => (index % 2 === 0 ? 'node.lost' : 'node.returned'));
    assert.deepEqual(types, expected, `what webhooks are told of ${nodeId}`);
  }
}
