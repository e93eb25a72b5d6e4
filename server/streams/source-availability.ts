import type { SourceId } from '../media/engine/media-track.js';
import type { SourceElsewhere } from './streams-elsewhere.js';

/** The source that a publisher asks the director for. */
export interface SourceRequest {
  /** The key of the lost session that the publisher resumes. */
  readonly sessionKey?: string | undefined;
  /** Undefined if the publisher names the source only in its `publish` command. */
  readonly sourceId?: SourceId | undefined;
}

export interface SourceAvailability {
  /** Another publisher has the source. */
  readonly taken: boolean;
  /** How soon the lease of a lost publisher ends. Undefined while the publisher is connected. */
  readonly freeInMs: number | undefined;
  /** The session that the publisher resumes. */
  readonly resumes: string | null;
}

/** A source that has a publisher, on any server. */
export type ClaimedSource = Pick<SourceElsewhere, 'sourceId' | 'sessionId' | 'freeInMs' | 'isOf'>;

const FREE: SourceAvailability = Object.freeze({ taken: false, freeInMs: undefined, resumes: null });

/**
 * Whether a publisher can have a source of a stream. A publisher that names no source is refused if the only source of the
 * stream is the main source. Beside several sources it is let in: its `publish` command names the source (see
 * docs/decisions/0009).
 * @param sources of the stream, on all servers
 */
export function availabilityOf(
  sources: readonly ClaimedSource[],
  { sessionKey, sourceId }: SourceRequest,
): SourceAvailability {
  const resumed = sessionKey === undefined ? undefined : sources.find((source) => source.isOf(sessionKey));
  if (resumed) return { ...FREE, resumes: resumed.sessionId };
  const conflict = sources.find((source) =>
    sourceId !== undefined ? source.sourceId === sourceId : sources.length === 1 && source.sourceId === null,
  );
  return conflict ? { taken: true, freeInMs: conflict.freeInMs, resumes: null } : FREE;
}
