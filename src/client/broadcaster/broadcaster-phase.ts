import type { TerminalPhase } from '../terminal-phase.js';
import type { Retry } from '../connection/reconnect-loop.js';

/** Where a broadcaster stands. Each phase carries exactly what is true in it. */
export type BroadcasterPhase =
  | { readonly name: 'idle' }
  /** Asking for leave and opening the way for the media. */
  | { readonly name: 'starting' }
  | ({ readonly name: 'live'; readonly viewers: number } & LiveBroadcast)
  /** Lost, and tried again; `onAir` is there when it had been live. */
  | ({ readonly name: 'reconnecting'; readonly onAir: LiveBroadcast | undefined } & Retry)
  | TerminalPhase;

export interface LiveBroadcast {
  readonly streamName: string;
  /** As the server told it: what a link for viewers needs. */
  readonly accountId: string | undefined;
  /** When it first went live, in milliseconds since 1970. Breaks do not change it. */
  readonly since: number;
}

export const BROADCASTER_IDLE: BroadcasterPhase = { name: 'idle' };

/** What was told of the broadcast when it began, for as long as it is on or is being brought back. */
export function liveBroadcast(phase: BroadcasterPhase): LiveBroadcast | undefined {
  if (phase.name === 'reconnecting') return phase.onAir;
  if (phase.name !== 'live') return undefined;
  const { streamName, accountId, since } = phase;
  return { streamName, accountId, since };
}

/** Nothing runs in these phases. */
export function isOver({ name }: BroadcasterPhase): boolean {
  return name === 'idle' || name === 'rejected' || name === 'failed';
}
