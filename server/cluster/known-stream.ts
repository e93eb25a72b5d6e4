import type { StreamId } from '../streams/stream-id.js';
import type { SourceElsewhere, StreamElsewhere } from '../streams/streams-elsewhere.js';
import type { Lease } from './cluster-store.js';
import { sessionKeyHash } from './session-key-hash.js';

export interface KnownStream extends StreamElsewhere {
  /** Equal for equal leases. */
  readonly signature: string;
}

/**
 * The stream that has these leases, all of one node. Undefined: there are none.
 * @param monotonicNow milliseconds
 */
export function knownStream(
  streamId: StreamId,
  leases: readonly Lease[],
  monotonicNow: () => number,
): KnownStream | undefined {
  const [first] = leases;
  if (!first) return undefined;
  const { id, epoch, url } = first.node;
  const liveSince = leases.flatMap(({ liveOn }) => liveOn ?? []);
  return {
    streamId,
    signature: JSON.stringify(leases.map(({ keptForMs, ...lease }) => [lease, keptForMs !== null])),
    node: { id, epoch },
    url,
    live: liveSince.length > 0,
    liveSince: liveSince.length > 0 ? Math.min(...liveSince) : undefined,
    publishers: leases.map(({ tokenId }) => ({ tokenId })),
    sources: leases.map((lease) => knownSource(lease, monotonicNow)),
  };
}

function knownSource(lease: Lease, monotonicNow: () => number): SourceElsewhere {
  const { sourceId, sessionId, tokenId, liveOn, keptForMs, isInterrupted } = lease;
  const freeAt = keptForMs === null ? undefined : monotonicNow() + keptForMs;
  return {
    sourceId,
    sessionId,
    tokenId,
    liveSince: liveOn ?? undefined,
    isInterrupted,
    get freeInMs() {
      return freeAt === undefined ? undefined : Math.max(0, freeAt - monotonicNow());
    },
    isOf: (sessionKey) => sessionKeyHash(sessionKey) === lease.sessionKeyHash,
  };
}
