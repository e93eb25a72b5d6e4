import type { Retry } from '../connection/reconnect-loop.js';
import type { TerminalPhase } from '../phase.js';

/** The state of a broadcaster. Each phase carries exactly what is true in it. */
export type BroadcasterPhase =
  | { readonly name: 'idle' }
  /** Asking for a grant and opening the media path. */
  | { readonly name: 'starting' }
  | ({ readonly name: 'live'; readonly viewers: number } & LiveBroadcast)
  /** The connection is lost, and another attempt follows. `broadcast` is there where it had been live. */
  | ({ readonly name: 'reconnecting'; readonly broadcast: LiveBroadcast | undefined } & Retry)
  | TerminalPhase;

export interface LiveBroadcast {
  readonly streamName: string;
  /** As the server names it, for links to the stream. */
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

/** Nothing runs in these phases. */
export function isOver({ name }: BroadcasterPhase): boolean {
  return name === 'idle' || name === 'rejected' || name === 'failed';
}
