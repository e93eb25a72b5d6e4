/**
 * Whether the video of an m-line is paused because the viewer's network carries less than its lowest layer. Times in
 * ms, bitrates in bit/s.
 */
export type VideoPause =
  | {
      readonly name: 'sent';
      /** When the last pause ended. */
      readonly resumedAt: number;
      readonly delayMs: number;
    }
  /** Sent as well. The network carries too little since then, and its estimate has not grown beyond `highest`. */
  | {
      readonly name: 'short';
      readonly since: number;
      readonly highest: number;
      readonly resumedAt: number;
      readonly delayMs: number;
    }
  | {
      readonly name: 'paused';
      readonly since: number;
      /** How long this pause lasts at least. Without a probe that finds room, a trial comes later: `TRIAL_FACTOR`. */
      readonly delayMs: number;
      /** Since when the network carries enough again. */
      readonly roomSince: number | undefined;
    };

export interface VideoPauseInput {
  /** What the lowest layer needs. 0: no layer is active. */
  readonly needed: number;
  /** What the network carries of this video. `undefined`: unknown, and taken for enough. */
  readonly available: number | undefined;
  /** What a probe measured lately. 0 or less: nothing. */
  readonly proven: number;
  /** Whether padding measures `available` while nothing else is sent. Else only a trial shows what the network carries. */
  readonly isProbed: boolean;
  readonly now: number;
}

/** A layer that is just carried can be estimated at this part of its bitrate: a probe finds no more. */
const CARRIED_PART = 0.9;
/** Less than this part of the layer is too little. */
const TOO_LITTLE_PART = 0.8;
/** The estimate is low for this long before video pauses: the queue of a better layer takes seconds to drain. */
const SHORT_MS = 6_000;
/** An estimate that grows by more than this, while it is low, is still on its way up. */
const GROWTH = 1.05;
/** How much of the layer's bitrate ends a pause: the bitrate varies, and a pause must not follow at once. */
export const RESUME_PART = 1.25;
/** There must be enough for this long before video returns. */
const ROOM_MS = 1_500;
const MIN_PAUSE_MS = 3_000;
const MAX_PAUSE_MS = 30_000;
/** A trial without knowing that there is room may disturb the sound: not as often. */
const TRIAL_FACTOR = 4;
/** After a trial that failed, an estimate that grew without a probe is no reason for another one for so much longer. */
const UNPROVEN_FACTOR = 8;
/** A pause within this time after another one lasts twice as long. */
const RELAPSE_MS = 30_000;

export const VIDEO_SENT: VideoPause = { name: 'sent', resumedAt: -Infinity, delayMs: MIN_PAUSE_MS };

/**
 * Pauses a video when its network has carried too little for some seconds, and ends the pause when there is room again.
 * Call it once a second, and when the estimate changed much:
 *
 *     pause = nextVideoPause(pause, { needed, available, proven, isProbed, now });
 */
export function nextVideoPause(
  before: VideoPause,
  { needed, available = Infinity, proven, isProbed, now }: VideoPauseInput,
): VideoPause {
  if (before.name === 'paused') {
    const sent: VideoPause = { name: 'sent', resumedAt: now, delayMs: before.delayMs };
    const pausedMs = now - before.since;
    const isUnproven = isProbed && hasFailedTrial(before) && proven < needed * CARRIED_PART;
    const leastMs = before.delayMs * (isUnproven ? UNPROVEN_FACTOR : 1);
    const mayBeCarried = !isProbed || available >= needed * CARRIED_PART;
    if (mayBeCarried && pausedMs >= Math.max(leastMs, before.delayMs * TRIAL_FACTOR)) return sent;
    if (available < needed * RESUME_PART) return { ...before, roomSince: undefined };
    const roomSince = before.roomSince ?? now;
    return pausedMs >= leastMs && now - roomSince >= ROOM_MS ? sent : { ...before, roomSince };
  }
  const { resumedAt, delayMs } = before;
  if (available >= needed * TOO_LITTLE_PART) return { name: 'sent', resumedAt, delayMs };
  if (before.name === 'sent' || available > before.highest * GROWTH) {
    return { name: 'short', since: now, highest: available, resumedAt, delayMs };
  }
  if (now - before.since < SHORT_MS) return before;
  const isRelapse = before.since - resumedAt < RELAPSE_MS;
  const pauseMs = isRelapse ? Math.min(MAX_PAUSE_MS, delayMs * 2) : MIN_PAUSE_MS;
  return { name: 'paused', since: now, delayMs: pauseMs, roomSince: undefined };
}

/** Whether a video is paused again soon after a pause ended. */
export function hasFailedTrial(pause: VideoPause): boolean {
  return pause.name === 'paused' && pause.delayMs > MIN_PAUSE_MS;
}
