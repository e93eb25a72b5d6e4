import type { Retry } from '../connection/reconnect-loop.js';
import type { TerminalPhase } from '../phase.js';

/** The state of a broadcaster. Each phase has only the fields that are valid in it. */
export type BroadcasterPhase =
  | { readonly name: 'idle' }
  /** Asking for a grant and opening the media path. */
  | { readonly name: 'starting' }
  | ({ readonly name: 'live'; readonly viewers: number } & LiveBroadcast)
  /** The connection is lost, and another attempt follows. `broadcast` is set if it was live before. */
  | ({ readonly name: 'reconnecting'; readonly broadcast: LiveBroadcast | undefined } & Retry)
  | TerminalPhase;

export interface LiveBroadcast {
  readonly streamName: string;
  /** The account of the stream, from the server, for links to the stream. */
  readonly accountId: string | undefined;
  /** When the broadcast first went live, in milliseconds since 1970. A lost connection does not change it. */
  readonly since: number;
}

export const BROADCASTER_IDLE: BroadcasterPhase = { name: 'idle' };

/** The broadcast that is live or that is being resumed. */
export function liveBroadcast(phase: BroadcasterPhase): LiveBroadcast | undefined {
  if (phase.name === 'reconnecting') return phase.broadcast;
  if (phase.name !== 'live') return undefined;
  const { streamName, accountId, since } = phase;
  return { streamName, accountId, since };
}

/** Whether the broadcaster does nothing in this phase. */
export function isOver({ name }: BroadcasterPhase): boolean {
  return name === 'idle' || name === 'rejected' || name === 'failed';
}
