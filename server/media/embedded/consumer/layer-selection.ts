import type { LayerChoice, LayerState } from '../../media-engine.js';

/** What a viewer is sent of a video: one encoding, and of it all up to these layers. Absent: it has no such layers. */
export interface LayerTarget {
  readonly encodingId: string;
  readonly spatialLayerId: number | undefined;
  readonly temporalLayerId: number | undefined;
}

export interface LayerSelection {
  /** `undefined`: nothing of the video comes. */
  readonly target: LayerTarget | undefined;
  /** Since when there was room for something better. */
  readonly roomSince: number | undefined;
  readonly raisedAt: number;
  /** How long there must have been room before it goes up. */
  readonly patienceMs: number;
  /** What it had before it went up. */
  readonly raisedFrom: LayerTarget | undefined;
  /** When it came back to that because going up was an error. */
  readonly returnedAt: number;
  /** What the network would have to carry for the best that is permitted, in bit/s. `undefined`: that is what is sent. */
  readonly desiredBitrate: number | undefined;
}

export interface LayerSelectionInput {
  /** Each with the bitrate that is its own, without those below that it builds upon. */
  readonly layers: readonly LayerState[];
  readonly choice: LayerChoice;
  /** What the viewer's network carries of this video, in bit/s. `undefined`: not known, and taken for enough. */
  readonly available: number | undefined;
  /** Whether more than is sent is tried out by itself, so that what is available is known and not only hoped for. */
  readonly isTriedOut?: boolean;
  /** In ms. */
  readonly now: number;
}

/** What going up must leave free: bitrates of one second are seldom those of the next. */
const HEADROOM = 1.25;
const FIRST_PATIENCE_MS = 2_000;
const LONGEST_PATIENCE_MS = 60_000;
const LONGEST_PATIENCE_TRIED_OUT_MS = 4_000;
/** Who must come down within this time has gone up in error. */
const TRIAL_MS = 30_000;
/** Within this time what it had before is still known to be carried: what tells otherwise is the queue of the trial. */
const KNOWN_BEFORE_MS = 5_000;
/** And so is, for this long after it came back to it, … */
const DRAINS_MS = 2_000;
/** … unless the network seems to carry less than this part of it. */
const DOUBTFUL = 0.5;

export const NO_SELECTION: LayerSelection = {
  target: undefined,
  roomSince: undefined,
  raisedAt: -Infinity,
  patienceMs: FIRST_PATIENCE_MS,
  raisedFrom: undefined,
  returnedAt: -Infinity,
  desiredBitrate: undefined,
};

/**
 * The best of a video that its viewer permits and its network carries: down at once, up when there was room for a
 * while, and later each time that going up was an error. To be asked when the layers were measured (once a second),
 * and when the choice changed or the estimate fell:
 *
 *     viewer.decision = chooseLayer(viewer.decision, { layers, choice, available, now });
 *
 * The switch itself must wait for a keyframe (encoding) or for the next picture that permits it (within one).
 */
export function selectLayer(before: LayerSelection, situation: LayerSelectionInput): LayerSelection {
  const options = permitted(situation.layers, situation.choice);
  const decision = choose(before, options, situation);
  const best = options[0];
  const isBest = !best || !decision.target || sameTarget(best.target, decision.target);
  return { ...decision, desiredBitrate: isBest ? undefined : best.bitrate * HEADROOM };
}

function choose(
  before: LayerSelection,
  options: readonly LayerOption[],
  { available, isTriedOut = false, now }: LayerSelectionInput,
): LayerSelection {
  const budget = available ?? Infinity;
  const affordable = (some: readonly LayerOption[], isTolerated: (option: LayerOption) => boolean = () => false) =>
    some.find((option) => option.bitrate <= budget || isTolerated(option)) ?? some.at(-1);
  const seemsCarried = ({ bitrate }: LayerOption) => bitrate * DOUBTFUL <= budget;
  const at = options.findIndex(({ target }) => sameTarget(target, before.target));
  const held = options[at];
  if (!held) return { ...before, target: affordable(options)?.target, roomSince: undefined };
  const stay = { ...before, target: held.target, roomSince: undefined };
  if (held.bitrate > budget) {
    if (now - before.returnedAt < DRAINS_MS && seemsCarried(held)) return stay;
    const raisedFor = now - before.raisedAt;
    const isKnown = (option: LayerOption) =>
      raisedFor < KNOWN_BEFORE_MS && sameTarget(option.target, before.raisedFrom) && seemsCarried(option);
    const lower = affordable(options.slice(at + 1), isKnown);
    if (!lower) return stay;
    const longest = isTriedOut ? LONGEST_PATIENCE_TRIED_OUT_MS : LONGEST_PATIENCE_MS;
    const patienceMs = raisedFor < TRIAL_MS ? Math.min(longest, before.patienceMs * 2) : FIRST_PATIENCE_MS;
    const returnedAt = isKnown(lower) ? now : -Infinity;
    return { ...stay, target: lower.target, patienceMs, returnedAt };
  }
  const better = options.slice(0, at).find(({ bitrate }) => bitrate * HEADROOM <= budget);
  if (!better) return stay;
  const roomSince = before.roomSince ?? now;
  // What it came down from in error is tried again late; what it had before that, soon.
  const had = options.findIndex(({ target }) => sameTarget(target, before.raisedFrom));
  const patienceMs = had >= 0 && options.indexOf(better) >= had ? FIRST_PATIENCE_MS : before.patienceMs;
  if (now - roomSince < patienceMs) return { ...stay, roomSince };
  return { ...stay, target: better.target, raisedAt: now, raisedFrom: held.target };
}

interface LayerOption {
  readonly target: LayerTarget;
  readonly simulcastIndex: number;
  /** Of all that must be sent for it. */
  readonly bitrate: number;
}

const spatial = ({ spatialLayerId = 0 }: { readonly spatialLayerId?: number | undefined }) => spatialLayerId;
const temporal = ({ temporalLayerId = 0 }: { readonly temporalLayerId?: number | undefined }) => temporalLayerId;

/** What the choice leaves open, best first. Never empty while anything comes: the nearest below, or else the lowest. */
function permitted(layers: readonly LayerState[], choice: LayerChoice): LayerOption[] {
  const active = layers.filter((layer) => layer.active).toSorted(byQuality);
  const encodings = within(active, ({ simulcastIndex }) => simulcastIndex, wantedEncoding(layers, choice));
  const sized = atMost(
    atMost(encodings, ({ width }) => width, choice.maxWidth),
    ({ height }) => height,
    choice.maxHeight,
  );
  const spatials = eachGroup(
    atMost(sized, spatial, choice.maxSpatialLayerId),
    ({ simulcastIndex }) => simulcastIndex,
    (group) => within(group, spatial, choice.spatialLayerId),
  );
  const temporals = eachGroup(
    atMost(spatials, temporal, choice.maxTemporalLayerId),
    (layer) => 256 * layer.simulcastIndex + spatial(layer),
    (group) => within(group, temporal, choice.temporalLayerId),
  );
  return withoutCrawling(temporals)
    .map((layer) => optionFor(layer, active))
    .toReversed();
}

/** Lowest first. */
function byQuality(a: LayerState, b: LayerState): number {
  return a.simulcastIndex - b.simulcastIndex || spatial(a) - spatial(b) || temporal(a) - temporal(b);
}

/** An id that is not there counts by its number; one that is no number either asks for nothing. */
function wantedEncoding(layers: readonly LayerState[], { encodingId }: LayerChoice): number | undefined {
  if (encodingId === undefined) return undefined;
  const known = layers.find((layer) => layer.encodingId === encodingId)?.simulcastIndex;
  return known ?? (/^\d{1,3}$/.test(encodingId) ? Number(encodingId) : undefined);
}

type Measure = (layer: LayerState) => number;

/** Those whose measure is the wanted one or the nearest below; the lowest if all are above. */
function within(layers: readonly LayerState[], measure: Measure, wanted: number | undefined): readonly LayerState[] {
  if (wanted === undefined) return layers;
  const values = layers.map(measure);
  const below = values.filter((value) => value <= wanted);
  const taken = below.length ? Math.max(...below) : Math.min(...values);
  return layers.filter((layer) => measure(layer) === taken);
}

/** Those up to a limit; the lowest if all are above. */
function atMost(layers: readonly LayerState[], measure: Measure, limit: number | undefined): readonly LayerState[] {
  if (limit === undefined) return layers;
  const lowest = Math.min(...layers.map(measure));
  return layers.filter((layer) => measure(layer) <= Math.max(limit, lowest));
}

function eachGroup(
  layers: readonly LayerState[],
  key: Measure,
  choose: (group: readonly LayerState[]) => readonly LayerState[],
): readonly LayerState[] {
  const groups = [...new Set(layers.map(key))];
  return groups.flatMap((group) => choose(layers.filter((layer) => key(layer) === group)));
}

/** Half the frames of a larger picture are better than all of a smaller, a quarter of them are not. */
function withoutCrawling(layers: readonly LayerState[]): readonly LayerState[] {
  const key = (layer: LayerState) => 256 * layer.simulcastIndex + spatial(layer);
  const lowest = layers[0] && key(layers[0]);
  return eachGroup(layers, key, (group) => (key(group[0]!) === lowest ? group : group.slice(-2)));
}

function optionFor(layer: LayerState, active: readonly LayerState[]): LayerOption {
  const { encodingId, simulcastIndex, spatialLayerId, temporalLayerId } = layer;
  let bitrate = 0;
  for (const other of active) {
    const needed =
      other.encodingId === encodingId && spatial(other) <= spatial(layer) && temporal(other) <= temporal(layer);
    if (needed) bitrate += other.bitrate;
  }
  return { target: { encodingId, spatialLayerId, temporalLayerId }, simulcastIndex, bitrate };
}

function sameTarget(a: LayerTarget, b: LayerTarget | undefined): boolean {
  return (
    a.encodingId === b?.encodingId && a.spatialLayerId === b.spatialLayerId && a.temporalLayerId === b.temporalLayerId
  );
}
