import type { EventEmitter } from 'node:events';
import type { FailedAttemptLimiter } from '../accounts/failed-attempt-limiter.js';
import type { AccountSessions } from '../admission/account-sessions.js';
import type { TokenViewings } from '../admission/token-viewings.js';
import type { ClusterChannel } from '../cluster/cluster-channel.js';
import type { ClusterMessageEvents } from '../cluster/cluster-message.js';
import type { ClusterNode } from '../cluster/cluster-node.js';
import type { ClusterStreams } from '../cluster/cluster-streams.js';
import type { ClusterViewings } from '../cluster/cluster-viewings.js';
import { SharedViewings } from '../cluster/shared-viewings.js';
import { contain } from '../faults/contain.js';
import type { MediaEngine } from '../media/engine/media-engine.js';
import type { Sessions } from '../sessions/sessions.js';
import type { ViewerMigration } from '../sessions/viewer-migration.js';
import type { LiveStatus } from '../streams/live-status.js';
import type { StreamRegistry } from '../streams/stream-registry.js';
import type { StreamId } from '../streams/stream-id.js';

/** The parts of this server that other servers on the database have to do with. */
export interface ClusterMembers {
  readonly engine: MediaEngine;
  readonly streams: StreamRegistry;
  readonly sessions: Pick<Sessions, 'remove'>;
  readonly migration: Pick<ViewerMigration, 'lookElsewhere'>;
  readonly viewings: TokenViewings;
  readonly accountSessions: Pick<AccountSessions, 'here' | 'on'>;
  /** The accounts whose sessions other servers must know. */
  readonly limitedAccounts: () => ReadonlySet<string>;
  /** The live streams of this server. */
  readonly liveHere: () => readonly LiveStatus[];
  /** @returns false if no session of the record is open here */
  readonly removeSession: (streamId: StreamId, id: string) => boolean;
}

/** Has the parts of this server do what the database and the other servers say. */
export function connectMembers({
  node,
  streams,
  viewings,
  messages,
  channel,
  attempts,
  members,
}: {
  readonly node: ClusterNode;
  readonly streams: ClusterStreams;
  readonly viewings: ClusterViewings;
  readonly messages: EventEmitter<ClusterMessageEvents>;
  readonly channel: ClusterChannel;
  readonly attempts: FailedAttemptLimiter;
  readonly members: ClusterMembers;
}): SharedViewings {
  const { engine, sessions, removeSession } = members;
  if (node.until !== undefined) engine.publishUntil(node.until);
  node.on('renewed', (until) => engine.publishUntil(until));
  node.on('lapsed', () => members.streams.stopUnleased());
  streams.on('own-leases-lost', (sessionIds) => members.streams.stopUnleased(sessionIds));
  streams.on('own-lease', ({ stopRequested, sessionId }) => stopRequested && sessions.remove(sessionId));
  const shared = new SharedViewings(members.viewings, (message) => channel.send(message));
  messages.on(
    'message',
    contain('cluster', (nodeId, message) => {
      viewings.message(nodeId, message);
      if (message.type === 'hello') shared.sendAll();
      else shared.setOthers(true);
      if (message.type === 'failed-attempt') attempts.failedElsewhere(message);
      if (message.type === 'stop-session') removeSession(message.streamId, message.id);
    }),
  );
  return shared;
}
