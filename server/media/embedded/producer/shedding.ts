/** What is shed of a source. Each includes the ones before it. */
export type Shed = 'nothing' | 'temporal-layers' | 'video' | 'sound';

/** What is shed first, and the longest wait of packets that are forwarded, in ms. */
const FIRST = { what: 'temporal-layers', limitMs: 100 } as const;
/** What is shed last comes first. */
const LIMITS = [{ what: 'sound', limitMs: 400 }, { what: 'video', limitMs: 180 }, FIRST] as const;
/** A queue that drains within this time needs no help: a stall of the machine, or a keyframe to many viewers. */
const GRACE_MS = 100;

/** Since when, in ms, all packets were older than each limit. Undefined: the last one was not. */
export type Lateness = Readonly<Record<Exclude<Shed, 'nothing'>, number | undefined>>;

export const PROMPT: Lateness = { 'temporal-layers': undefined, video: undefined, sound: undefined };

/**
 * Follows how long packets have waited in front of this process. As CoDel (RFC 8289), it counts a wait only if all
 * packets of some time had it: a burst that is being worked off is no overload.
 * @param age how long the packet has waited, at most
 */
export function nextLateness(before: Lateness, age: number, now: number): Lateness {
  if (age < FIRST.limitMs) return PROMPT;
  const next: Record<keyof Lateness, number | undefined> = { ...PROMPT };
  for (const { what, limitMs } of LIMITS) if (age >= limitMs) next[what] = before[what] ?? now;
  return next;
}

/** What to shed of a packet that is handled now. */
export function shedOf(lateness: Lateness, now: number): Shed {
  if (lateness === PROMPT) return 'nothing';
  for (const { what } of LIMITS) {
    const since = lateness[what];
    if (since !== undefined && now - since >= GRACE_MS) return what;
  }
  return 'nothing';
}
