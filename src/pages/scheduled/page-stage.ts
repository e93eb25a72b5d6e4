import { HOURS_WITHOUT_END, type AnnouncedStream } from '../../wire/scheduled-stream.js';
import type { PlayerState } from './player-state.js';

const HOUR_MS = 3_600_000;
/** Enough for everybody to be there when the stream begins: connected with a token, and waiting without. */
export const PLAYER_EARLY_MS = 10 * 60_000;

/** What the server said last. */
export type Announcement =
  | { readonly name: 'loading' }
  /** There is no such scheduled stream, or no longer. */
  | { readonly name: 'missing' }
  | { readonly name: 'known'; readonly stream: AnnouncedStream };

export interface PageFacts {
  readonly announcement: Announcement;
  /** By the clock of the server, in milliseconds since 1970. */
  readonly now: number;
  readonly player: PlayerState;
  /** When the broadcaster ended the last broadcast, by the clock of the server. Undefined: not known. */
  readonly endedOn?: number | undefined;
  /** Whether there was a picture since the page was opened. */
  readonly hasPlayed: boolean;
}

/** What the page shows. */
export type PageStage =
  | { readonly name: 'loading' }
  | { readonly name: 'missing' }
  | { readonly name: 'countdown'; readonly remainingMs: number }
  /** The start has passed, and there is no picture yet. */
  | { readonly name: 'starting' }
  /** The broadcast stopped before its end, and may go on. */
  | { readonly name: 'paused' }
  /** The player fills the page. */
  | { readonly name: 'live' }
  /** The server refused the visitor. The player says why. */
  | { readonly name: 'refused' }
  | { readonly name: 'over' };

/** A picture is never taken away: it stays until the broadcast stops, whatever the times say. */
export function pageStageOf({ announcement, now, player, endedOn = now, hasPlayed }: PageFacts): PageStage {
  if (player === 'playing' || player === 'resuming') return { name: 'live' };
  if (announcement.name !== 'known') return announcement;
  const { state, startsOn, endsOn } = announcement.stream;
  const start = Date.parse(startsOn);
  const over = endsOn === null ? start + HOURS_WITHOUT_END * HOUR_MS : Date.parse(endsOn);
  if (state === 'over' || (now >= over && state !== 'live')) return { name: 'over' };
  // What ended before the start was a trial.
  if (player === 'ended' && endedOn >= start) return { name: 'over' };
  if (player === 'refused') return { name: 'refused' };
  if (state === 'live' && (player === 'none' || player === 'connecting')) return { name: 'live' };
  if (now < start) return { name: 'countdown', remainingMs: start - now };
  return { name: hasPlayed ? 'paused' : 'starting' };
}

/**
 * Whether the page has a player. It waits from some minutes before the start, and stays until the stream is over; after
 * an end that the broadcaster declared until the times say so too, because they may go on after all.
 */
export function hasPlayer(stage: PageStage, { announcement, player }: PageFacts): boolean {
  if (stage.name === 'live') return true;
  if (announcement.name !== 'known') return false;
  if (stage.name === 'over') return player === 'ended' && announcement.stream.state !== 'over';
  if (player !== 'none' || announcement.stream.state === 'live') return true;
  return stage.name !== 'countdown' || stage.remainingMs <= PLAYER_EARLY_MS;
}
