import type { LayerState } from '../../engine/media-figures.js';
import type { LayerChoice } from '../../engine/media-session.js';

/** The layer of a video to send: one encoding, and its layers up to these. Undefined: it has no such layers. */
export interface LayerTarget {
  readonly encodingId: string;
  readonly spatialLayerId: number | undefined;
  readonly temporalLayerId: number | undefined;
}

export interface LayerSelection {
  /** `undefined`: no layer of the video is active. */
  readonly target: LayerTarget | undefined;
  /** Since when the network could carry a better layer. */
  readonly headroomSince: number | undefined;
  readonly upgradedAt: number;
  /** How long there must be headroom before an upgrade. */
  readonly upgradeDelayMs: number;
  /** The target before the last upgrade. */
  readonly upgradedFrom: LayerTarget | undefined;
  /** When the last upgrade was reverted. */
  readonly revertedAt: number;
  /** The bitrate that the best allowed layer needs, in bit/s. `undefined`: that layer is the target. */
  readonly desiredBitrate: number | undefined;
}

export interface LayerSelectionInput {
  /** Each with its own bitrate, without that of the layers it depends on. */
  readonly layers: readonly LayerState[];
  readonly choice: LayerChoice;
  /** What the viewer's network carries of this video, in bit/s. `undefined`: unknown, and taken for enough. */
  readonly available: number | undefined;
  /** Whether probes measure `available` beyond what is sent. Else a higher value is only an assumption. */
  readonly isProbed?: boolean;
  /** What the load of this process allows, in bit/s. The lowest layer is always allowed. Default: everything. */
  readonly maxBitrate?: number;
  /** In ms. */
  readonly now: number;
}

/** Required above the measured bitrate before an upgrade: the bitrate varies from second to second. */
const HEADROOM = 1.25;
const MIN_UPGRADE_DELAY_MS = 2_000;
const MAX_UPGRADE_DELAY_MS = 60_000;
const MAX_PROBED_UPGRADE_DELAY_MS = 4_000;
/** A downgrade within this time after an upgrade means that the upgrade was a mistake. */
const UPGRADE_TRIAL_MS = 30_000;
/**
 * For this long after an upgrade, the layer before it is known to be carried: a low estimate then comes from the queue
 * that the upgrade caused.
 */
const PREVIOUS_LAYER_KNOWN_MS = 5_000;
/** After a revert, a low estimate is ignored for this long while that queue drains, … */
const QUEUE_DRAIN_MS = 2_000;
/** … unless the estimate is below this part of the layer's bitrate. */
const MIN_CARRIED_PART = 0.5;

export const NO_SELECTION: LayerSelection = {
  target: undefined,
  headroomSince: undefined,
  upgradedAt: -Infinity,
  upgradeDelayMs: MIN_UPGRADE_DELAY_MS,
  upgradedFrom: undefined,
  revertedAt: -Infinity,
  desiredBitrate: undefined,
};

/**
 * Selects the best layer that the viewer allows and the network carries. It downgrades at once. It upgrades after a
 * time of headroom, which doubles with each upgrade that had to be reverted. Call it when the layers were measured
 * (once a second), when the choice changed and when the estimate fell:
 *
 *     selection = selectLayer(selection, { layers, choice, available, now });
 *
 * The switch itself waits for a keyframe (other encoding) or for the next picture that allows it (same encoding).
 */
export function selectLayer(before: LayerSelection, input: LayerSelectionInput): LayerSelection {
  const options = cheapOptions(allowedOptions(input.layers, input.choice), input.maxBitrate);
  const selection = select(before, options, input);
  const best = options[0];
  const isBest = !best || !selection.target || sameTarget(best.target, selection.target);
  return { ...selection, desiredBitrate: isBest ? undefined : best.bitrate * HEADROOM };
}

function select(
  before: LayerSelection,
  options: readonly LayerOption[],
  { available, isProbed = false, now }: LayerSelectionInput,
): LayerSelection {
  const budget = available ?? Infinity;
  const affordable = (some: readonly LayerOption[], isTolerated: (option: LayerOption) => boolean = () => false) =>
    some.find((option) => option.bitrate <= budget || isTolerated(option)) ?? some.at(-1);
  const seemsCarried = ({ bitrate }: LayerOption) => bitrate * MIN_CARRIED_PART <= budget;
  const at = options.findIndex(({ target }) => sameTarget(target, before.target));
  const current = options[at];
  if (!current) return { ...before, target: affordable(options)?.target, headroomSince: undefined };
  const stay = { ...before, target: current.target, headroomSince: undefined };
  if (current.bitrate > budget) {
    if (now - before.revertedAt < QUEUE_DRAIN_MS && seemsCarried(current)) return stay;
    const sinceUpgrade = now - before.upgradedAt;
    const isKnown = (option: LayerOption) =>
      sinceUpgrade < PREVIOUS_LAYER_KNOWN_MS && sameTarget(option.target, before.upgradedFrom) && seemsCarried(option);
    const lower = affordable(options.slice(at + 1), isKnown);
    if (!lower) return stay;
    const maxDelay = isProbed ? MAX_PROBED_UPGRADE_DELAY_MS : MAX_UPGRADE_DELAY_MS;
    const upgradeDelayMs =
      sinceUpgrade < UPGRADE_TRIAL_MS ? Math.min(maxDelay, before.upgradeDelayMs * 2) : MIN_UPGRADE_DELAY_MS;
    const revertedAt = isKnown(lower) ? now : -Infinity;
    return { ...stay, target: lower.target, upgradeDelayMs, revertedAt };
  }
  const better = options.slice(0, at).find(({ bitrate }) => bitrate * HEADROOM <= budget);
  if (!better) return stay;
  const headroomSince = before.headroomSince ?? now;
  // A layer that was reverted is tried again late. The layer from before that upgrade is tried again soon.
  const previous = options.findIndex(({ target }) => sameTarget(target, before.upgradedFrom));
  const delay = previous >= 0 && options.indexOf(better) >= previous ? MIN_UPGRADE_DELAY_MS : before.upgradeDelayMs;
  if (now - headroomSince < delay) return { ...stay, headroomSince };
  return { ...stay, target: better.target, upgradedAt: now, upgradedFrom: current.target };
}

/** What the lowest and the best active layer need, in bit/s, whatever the viewer chose. 0: none is active. */
export function bitrateRange(layers: readonly LayerState[]): { readonly lowest: number; readonly best: number } {
  const options = allowedOptions(layers, {});
  return { lowest: options.at(-1)?.bitrate ?? 0, best: options[0]?.bitrate ?? 0 };
}

interface LayerOption {
  readonly target: LayerTarget;
  readonly simulcastIndex: number;
  /** With all layers that it depends on. */
  readonly bitrate: number;
}

const spatial = ({ spatialLayerId = 0 }: { readonly spatialLayerId?: number | undefined }) => spatialLayerId;
const temporal = ({ temporalLayerId = 0 }: { readonly temporalLayerId?: number | undefined }) => temporalLayerId;

/**
 * The layers that the choice allows, best first. Never empty while a layer is active: a choice that does not exist is
 * answered with the nearest layer below, or else the lowest.
 */
function allowedOptions(layers: readonly LayerState[], choice: LayerChoice): LayerOption[] {
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
  return withoutLowFrameRates(temporals)
    .map((layer) => optionFor(layer, active))
    .toReversed();
}

function cheapOptions(options: readonly LayerOption[], maxBitrate = Infinity): readonly LayerOption[] {
  const cheap = options.filter(({ bitrate }) => bitrate <= maxBitrate);
  return cheap.length ? cheap : options.slice(-1);
}

/** Lowest first. */
function byQuality(a: LayerState, b: LayerState): number {
  return a.simulcastIndex - b.simulcastIndex || spatial(a) - spatial(b) || temporal(a) - temporal(b);
}

/** An unknown id is read as an index. An id that is no number either is ignored. */
function wantedEncoding(layers: readonly LayerState[], { encodingId }: LayerChoice): number | undefined {
  if (encodingId === undefined) return undefined;
  const known = layers.find((layer) => layer.encodingId === encodingId)?.simulcastIndex;
  return known ?? (/^\d{1,3}$/.test(encodingId) ? Number(encodingId) : undefined);
}

type Measure = (layer: LayerState) => number;

/** The layers with the wanted value, or with the nearest value below; the lowest if all are above. */
function within(layers: readonly LayerState[], measure: Measure, wanted: number | undefined): readonly LayerState[] {
  if (wanted === undefined) return layers;
  const values = layers.map(measure);
  const below = values.filter((value) => value <= wanted);
  const taken = below.length ? Math.max(...below) : Math.min(...values);
  return layers.filter((layer) => measure(layer) === taken);
}

/** The layers up to a limit; the lowest if all are above. */
function atMost(layers: readonly LayerState[], measure: Measure, limit: number | undefined): readonly LayerState[] {
  if (limit === undefined) return layers;
  const lowest = Math.min(...layers.map(measure));
  return layers.filter((layer) => measure(layer) <= Math.max(limit, lowest));
}

function eachGroup(
  layers: readonly LayerState[],
  key: Measure,
  pick: (group: readonly LayerState[]) => readonly LayerState[],
): readonly LayerState[] {
  const groups = [...new Set(layers.map(key))];
  return groups.flatMap((group) => pick(layers.filter((layer) => key(layer) === group)));
}

/**
 * Keeps the two highest temporal layers of all but the smallest picture: half the frame rate of a larger picture is
 * better than the full rate of a smaller one, a quarter of it is not.
 */
function withoutLowFrameRates(layers: readonly LayerState[]): readonly LayerState[] {
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
