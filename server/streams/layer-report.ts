import type { LayerState, SourceId } from '../media/media-engine.js';
import type { LayersMeasured, ClientEvent } from './stream-event.js';

/** How existing clients are told that a dimension does not exist. */
const NONE = 255;

interface Layer {
  readonly encodingId: string;
  readonly simulcastIdx: number;
  readonly spatialLayerId: number;
  readonly temporalLayerId: number;
  readonly bitrate: number;
  readonly totalBitrate: number;
  readonly targetBitrate: number;
  readonly targetWidth: number;
  readonly targetHeight: number;
  readonly width: number;
  readonly height: number;
}

interface IdleEncoding {
  readonly id: string;
  readonly simulcastIdx: number;
  readonly totalBytes: number;
  readonly numPackets: number;
}

interface Encoding extends IdleEncoding {
  readonly bitrate: number;
  readonly totalBitrate: number;
  readonly width: number;
  readonly height: number;
  /** Of an encoding that is scalable in itself. */
  readonly layers: readonly Layer[];
}

interface MediaReport {
  readonly active: readonly Encoding[];
  readonly inactive: readonly IdleEncoding[];
  /** Every layer that can be selected. */
  readonly layers: readonly Layer[];
}

/** Data of `layers` (wire-facts 3.3): what each video of a viewer's can be watched in, by the mid of its m-line. */
export interface LayerReport {
  readonly medias: Readonly<Record<string, MediaReport>>;
}

/** Viewers who are shown the same on the same m-lines are told by the same event, which is then written down once. */
const told = new WeakMap<LayersMeasured, Map<string, ClientEvent>>();

/** `layers` for a viewer who is shown these sources, by mid. */
export function layersEvent(news: LayersMeasured, shown: ReadonlyMap<string, SourceId>): ClientEvent {
  const events = told.get(news) ?? new Map<string, ClientEvent>();
  told.set(news, events);
  const key = JSON.stringify([...shown]);
  const known = events.get(key);
  if (known) return known;
  const medias = [...shown].map(([mid, sourceId]) => [mid, news.layers.get(sourceId) ?? []] as const);
  const event: ClientEvent = { seq: news.seq, name: 'layers', data: layerReport(medias) };
  events.set(key, event);
  return event;
}

/** What the m-lines of a viewer can be watched in. */
export function layerReport(shown: Iterable<readonly [mid: string, layers: readonly LayerState[]]>): LayerReport {
  const medias: Record<string, MediaReport> = {};
  for (const [mid, states] of shown) medias[mid] = mediaReport(states);
  return { medias };
}

function mediaReport(states: readonly LayerState[]): MediaReport {
  const active: Encoding[] = [];
  const inactive: IdleEncoding[] = [];
  for (const id of new Set(states.map(({ encodingId }) => encodingId))) {
    const layers = states.filter(({ encodingId }) => encodingId === id);
    const simulcastIdx = layers[0]!.simulcastIndex;
    const sent = layers.filter((layer) => layer.active);
    const idle = { id, simulcastIdx, totalBytes: sum(layers, 'totalBytes'), numPackets: sum(layers, 'packets') };
    if (sent.length === 0) {
      inactive.push(idle);
      continue;
    }
    const bitrate = sum(sent, 'bitrate');
    const [width, height] = [most(sent, 'width'), most(sent, 'height')];
    const scalable = sent.filter(isScalable).map(layerOf);
    active.push({ ...idle, bitrate, totalBitrate: bitrate, width, height, layers: scalable });
  }
  return { active, inactive, layers: states.filter((layer) => layer.active).map(layerOf) };
}

function layerOf(state: LayerState): Layer {
  const { encodingId, simulcastIndex, spatialLayerId = NONE, temporalLayerId = NONE, bitrate, width, height } = state;
  return {
    encodingId,
    simulcastIdx: simulcastIndex,
    spatialLayerId,
    temporalLayerId,
    bitrate,
    totalBitrate: bitrate,
    // Nothing tells what an encoder aims at: what it does is the best guess.
    targetBitrate: bitrate,
    targetWidth: width,
    targetHeight: height,
    width,
    height,
  };
}

function isScalable({ spatialLayerId, temporalLayerId }: LayerState): boolean {
  return spatialLayerId !== undefined || temporalLayerId !== undefined;
}

type Amount = 'bitrate' | 'packets' | 'totalBytes';

function sum(layers: readonly LayerState[], amount: Amount): number {
  return layers.reduce((total, layer) => total + layer[amount], 0);
}

function most(layers: readonly LayerState[], size: 'width' | 'height'): number {
  return layers.reduce((largest, layer) => Math.max(largest, layer[size]), 0);
}
