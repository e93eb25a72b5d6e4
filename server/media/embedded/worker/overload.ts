/**
 * How much of what viewers would get at no load is sent to them, by degree of the reduction. 0: no video. Lower layers
 * are sent to all viewers; of a video without lower layers, some viewers get nothing.
 */
export const LOAD_SHARES = [1, 1 / 2, 1 / 4, 1 / 8, 0] as const;
const LAST_DEGREE = LOAD_SHARES.length - 1;
/** What sound costs at least, compared with all layers: for the prediction of what video costs after sound alone. */
const SOUND_SHARE = 1 / 16;

/** A restored degree that turned out to be too much: how busy the event loop had been before it. */
interface Failure {
  readonly from: number;
  readonly busy: number;
  readonly at: number;
}

interface Moment {
  /** Since when the degree has been what it is. */
  readonly since: number;
  /** Since when packets have been late without a break. */
  readonly lateSince: number | undefined;
  /** Since when there has been room for more, without a break. */
  readonly calmSince: number | undefined;
  readonly failure: Failure | undefined;
}

/** What a worker does about its load. Times in ms. */
export type Overload =
  /** Viewers get all layers that their networks carry. */
  | ({ readonly name: 'none' } & Moment)
  /** Viewers get a share. */
  | ({ readonly name: 'reduced'; readonly degree: number } & Moment)
  /** A lower degree (0: none) is tried. It is given up at the first sign that it is too much. */
  | ({ readonly name: 'trial'; readonly degree: number; readonly from: number; readonly busyBefore: number } & Moment);

export interface LoadSample {
  /** The longest time that a packet that is handled now can have waited. */
  readonly delay: number;
  /** The part of the time in which the event loop was busy lately, 0 to 1. */
  readonly busy: number;
  readonly now: number;
}

/** Frames of 30 in a second are three late. */
const LATE_MS = 100;
/** A stall of the machine, or many joins at once, are over before. */
const LATE_FOR_MS = 150;
/** What a degree changes is seen after this time: the queue drains, and keyframes of other encodings arrive. */
const SETTLE_MS = 500;
const CALM_MS = 50;
const CALM_FOR_MS = 1_000;
/** How busy the event loop may be by prediction after a degree is restored. */
const MAX_BUSY = 0.8;
const TRIAL_MS = 2_000;
/** After a failure there must be more room than before it, for this long. */
const FAILURE_KEPT_MS = 30_000;
const MORE_ROOM = 0.8;

export const NO_OVERLOAD: Overload = {
  name: 'none',
  since: -Infinity,
  lateSince: undefined,
  calmSince: undefined,
  failure: undefined,
};

export const degreeOf = (state: Overload): number => (state.name === 'none' ? 0 : state.degree);

/**
 * Decides the degree of the reduction. It rises by one while packets are late, and falls at once to the degree for which
 * there is room. Call it every few tens of ms:
 *
 *     overload = nextOverload(overload, { delay, busy, now });
 */
export function nextOverload(before: Overload, sample: LoadSample): Overload {
  const { delay, busy, now } = sample;
  const lateSince = delay >= LATE_MS ? (before.lateSince ?? now) : undefined;
  const calmSince = delay < CALM_MS && busy <= MAX_BUSY ? (before.calmSince ?? now) : undefined;
  const failure = before.failure && now - before.failure.at < FAILURE_KEPT_MS ? before.failure : undefined;
  const state: Overload = { ...before, lateSince, calmSince, failure };
  const isLate = lateSince !== undefined && now - lateSince >= LATE_FOR_MS && now - before.since >= SETTLE_MS;
  if (isLate) return worse(state, now);
  if (state.name === 'trial' && now - state.since >= TRIAL_MS) return settled(state);
  if (state.name !== 'reduced' || calmSince === undefined || now - calmSince < CALM_FOR_MS) return state;
  const degree = restorable(state.degree, busy);
  const isTooSoon = failure?.from === state.degree && busy > failure.busy * MORE_ROOM;
  if (degree === state.degree || isTooSoon) return state;
  const { degree: from } = state;
  return { name: 'trial', degree, from, busyBefore: busy, since: now, lateSince: undefined, calmSince: now, failure };
}

function worse(state: Overload, now: number): Overload {
  const { failure } = state;
  const moment = { since: now, lateSince: undefined, calmSince: undefined };
  if (state.name === 'trial') {
    const { from, busyBefore: busy } = state;
    return { ...moment, name: 'reduced', degree: from, failure: { from, busy, at: now } };
  }
  const degree = degreeOf(state);
  if (degree === LAST_DEGREE) return state;
  return { ...moment, name: 'reduced', degree: degree + 1, failure };
}

/** The trial succeeded. */
function settled({ degree, since, lateSince, calmSince, failure }: Extract<Overload, { name: 'trial' }>): Overload {
  const moment = { since, lateSince, calmSince, failure };
  return degree === 0 ? { name: 'none', ...moment } : { name: 'reduced', degree, ...moment };
}

/** The lowest degree with which the event loop has some idle time by prediction, if it is this busy now. */
function restorable(degree: number, busy: number): number {
  const shareOf = (other: number) => Math.max(SOUND_SHARE, LOAD_SHARES[other]!);
  const fits = (other: number) => (busy * shareOf(other)) / shareOf(degree) <= MAX_BUSY;
  let lowest = degree;
  while (lowest > 0 && fits(lowest - 1)) lowest--;
  return lowest;
}
