import type { Logger } from 'pino';
import { setTimeout as delay } from 'node:timers/promises';
import { FailedAttemptLimiter } from '../accounts/failed-attempt-limiter.js';
import { ClusterAccountSessions } from '../cluster/cluster-account-sessions.js';
import { ClusterChannel, type Notifications } from '../cluster/cluster-channel.js';
import { ClusterLeases } from '../cluster/cluster-leases.js';
import { ClusterMessages } from '../cluster/cluster-message.js';
import { ClusterNode } from '../cluster/cluster-node.js';
import { ClusterStatus } from '../cluster/cluster-status.js';
import type { ClusterStore, NodeIdentity } from '../cluster/cluster-store.js';
import { ClusterStreams } from '../cluster/cluster-streams.js';
import { ClusterViewings } from '../cluster/cluster-viewings.js';
import type { DatabaseClock } from '../cluster/database-clock.js';
import { NodeLog } from '../cluster/node-log.js';
import { othersAlive, type OthersAlive } from '../cluster/others-alive.js';
import type { RelayPasses } from '../cluster/relay/relay-pass.js';
import { SharedAccountSessions } from '../cluster/shared-account-sessions.js';
import type { SharedViewings } from '../cluster/shared-viewings.js';
import { StreamAudiences } from '../cluster/stream-audiences.js';
import type { Config } from '../config/config.js';
import { contain } from '../faults/contain.js';
import { leaseMetrics } from '../metrics/lease-metrics.js';
import type { Cluster } from './cluster.js';
import { connectMembers } from './connect-members.js';
import { NO_RELAYS, openRelays } from './open-relays.js';
import type { OpenedResources } from './opened-resources.js';

/** A database that does not answer does not hold up the stop of the server. */
const ANNOUNCED_WITHIN_MS = 1_000;

export interface JoinClusterOptions {
  readonly config: Pick<Config, 'nodeRelay'>;
  readonly identity: NodeIdentity;
  readonly passes: RelayPasses;
  readonly store: ClusterStore;
  readonly notifications: Notifications;
  readonly clock: DatabaseClock;
  /** The monotonic clock of the machine, in milliseconds. */
  readonly monotonicNow: () => number;
  readonly log: Logger;
}

/**
 * Parts of one server meet here, each of which knows only what it is told. Neither the database nor a clock is opened
 * here: a simulation puts many servers together as this does.
 * @throws {DatabaseError} @throws {ApiError} the database does not answer
 */
export async function joinCluster(opened: OpenedResources, options: JoinClusterOptions): Promise<Cluster> {
  const { config, identity, passes, store, notifications, clock, monotonicNow, log } = options;
  const messages = new ClusterMessages();
  const node = new ClusterNode({ identity, store, clock, monotonicNow });
  const leases = new ClusterLeases({ node, store, monotonicNow });
  const { now } = clock;
  const streams = new ClusterStreams({ nodeId: identity.id, store, monotonicNow, now, held: () => leases.held() });
  const viewings = new ClusterViewings();
  const accountSessions = new ClusterAccountSessions();
  let shared: SharedViewings | undefined;
  let hasOthers = false;
  const sendEverything = (): void => {
    shared?.sendAll();
    audiences.sendAll();
  };
  node.on('returned', sendEverything);
  const channel = new ClusterChannel({ nodeId: identity.id, notifications, store, onGap: sendEverything });
  const audiences = new StreamAudiences((message) => channel.send(message));
  messages.on(
    'message',
    contain('cluster', (nodeId, message) => {
      audiences.message(nodeId, message);
      if (message.type === 'hello') audiences.sendAll();
    }),
  );
  const nodeLog = new NodeLog(identity, log);
  let known: OthersAlive | undefined;
  /** When other nodes said something last, by the monotonic clock. */
  const heardAt = new Map<string, number>();
  const sendHello = () => channel.send({ type: 'hello' });

  // A failure is made good after the next heartbeat.
  const settleLost = async (): Promise<void> => {
    const { epoch } = node;
    if (epoch) await store.announceLost(epoch);
    nodeLog.removed(await store.removeLost());
  };

  node.on('nodes', (nodes, tookMs) => {
    nodeLog.update(nodes);
    streams.expire(nodes);
    known = othersAlive(nodes, identity.id, Math.floor(clock.now() - tookMs));
    const { ids: others } = known;
    // An answer that is late does not know who has joined and said something since it was asked for.
    const askedAt = monotonicNow() - tookMs;
    for (const [nodeId, at] of heardAt) if (at < askedAt) heardAt.delete(nodeId);
    const present = new Set([...others, ...heardAt.keys()]);
    viewings.keepOnly(present);
    accountSessions.keepOnly(present);
    audiences.keepOnly(present);
    // Also of one that is lost and may return: the database may still execute what it sent before.
    channel.keepOnly(new Set([...present, ...nodes.map(({ id }) => id)]));
    const wasAlone = !hasOthers;
    hasOthers = others.size > 0;
    shared?.setOthers(hasOthers);
    // The first other one may have said hello while this one did not hear it.
    if (wasAlone && hasOthers) audiences.sendAll();
    if (others.size + 1 < nodes.length) void settleLost().catch(() => undefined);
  });
  node.on('lapsed', () =>
    log.error('this server cannot confirm with its database that it has its streams: it stops its broadcasts'),
  );

  streams.on('own-lease', (lease) => leases.seen(lease));
  streams.on('own-leases-lost', ({ length: count }) =>
    log.error({ count }, 'the database has lost which streams this server has: their broadcasts are stopped'),
  );

  opened.add(() => channel.close());
  await channel.start({
    streamChanged: (stream) => streams.streamChanged(stream),
    nodesChanged: () => streams.readAgain(),
    message(nodeId, message) {
      heardAt.set(nodeId, monotonicNow());
      messages.received(nodeId, message);
    },
    restored() {
      streams.restored();
      sendHello();
      // Another one that missed messages may have said hello while this one did not hear it.
      if (hasOthers) sendEverything();
    },
    lost: () => streams.lost(),
  });
  opened.add(() => streams.close());
  opened.add(() => node.close());
  // The sessions have ended by then: what they had is given back before the node leaves.
  opened.add(() => leases.flush());
  await node.start();
  await streams.start();

  const attempts = new FailedAttemptLimiter(clock.now, (failed) => {
    channel.send({ type: 'failed-attempt', ...failed });
  });
  const fraction = Number.parseInt(identity.id.slice(0, 8), 16) / 2 ** 32;
  let status: ClusterStatus | undefined;
  let relays = NO_RELAYS;
  return {
    isShared: true,
    hasOthers: () => hasOthers,
    nodeId: identity.id,
    othersAlive: () => (node.until === undefined ? undefined : known),
    leases,
    metrics: [leaseMetrics(node, leases)],
    streams,
    viewings,
    accountSessionsElsewhere: (accountId) => accountSessions.of(accountId),
    attempts,
    viewingNow: () => clock.now() + fraction,
    onViewings: (listener) => void viewings.on('began', listener),
    liveElsewhere: async (accountId) => (await status?.elsewhere(accountId)) ?? [],
    removeSessionElsewhere(streamId, id) {
      channel.send({ type: 'stop-session', streamId, id });
      return true;
    },
    viewersElsewhere: (streamId) => audiences.elsewhere(streamId),
    openRelays(members) {
      return (relays = openRelays(opened, { config, node, passes, audiences, messages, now, log, ...members }));
    },
    async announceStop() {
      relays.stop();
      if (!hasOthers) return;
      channel.send({ type: 'stopping' });
      await Promise.race([channel.flush(), delay(ANNOUNCED_WITHIN_MS, undefined, { ref: false })]);
    },
    connect(members) {
      shared = connectMembers({ node, streams, viewings, messages, channel, attempts, members });
      status = new ClusterStatus({ nodeId: identity.id, store, elsewhere: streams, liveHere: members.liveHere });
      const sharedAccounts = new SharedAccountSessions({
        sessions: members.accountSessions,
        limited: members.limitedAccounts,
        send: (message) => hasOthers && channel.send(message),
      });
      node.on('nodes', () => {
        if (!hasOthers) return;
        void status?.write();
        sharedAccounts.sendAll();
      });
      messages.on(
        'message',
        contain('cluster', (nodeId, message) => accountSessions.message(nodeId, message)),
      );
      // Nobody else can have what begins while this server is away, if there is nobody else.
      node.on('freed', () => hasOthers && members.migration.lookElsewhere());
      sendHello();
    },
  };
}
