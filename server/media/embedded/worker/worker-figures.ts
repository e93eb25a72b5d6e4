import type { MediaCounters, MediaProcessFigures, ReceptionState } from '../../engine/media-figures.js';
import type { TrackKind } from '../../engine/media-track.js';
import type { SubscriberTransport } from '../consumer/subscriber-transport.js';

/** What a worker knows of itself: which worker it is, the server knows. */
export type WorkerFigures = Omit<MediaProcessFigures, 'worker'>;

/** What is true at the moment. */
export type WorkerGauges = Omit<WorkerFigures, keyof MediaCounters | 'viewers' | 'roundTripMs' | 'availableBitrate'>;

type Counters = { -readonly [Name in keyof MediaCounters]: number };
type Viewer = Pick<SubscriberTransport, 'network' | 'availableBitrate' | 'resent' | 'failedSends'>;

const NOTHING: MediaCounters = {
  packetsReceived: 0,
  packetsLost: 0,
  packetsSent: 0,
  packetsMissed: 0,
  packetsResent: 0,
  failedSends: 0,
  keyframeRequests: 0,
  shedFrames: 0,
  shedSoundPackets: 0,
};

/** Counts what a worker does. Viewers count for themselves, because they are the many. */
export class FigureCounter {
  readonly #counted: Counters = { ...NOTHING };
  readonly #viewers = new Set<Viewer>();

  addViewer(viewer: Viewer): void {
    this.#viewers.add(viewer);
  }

  /** What the viewer counted stays. */
  removeViewer(viewer: Viewer): void {
    if (this.#viewers.delete(viewer)) addViewerTo(this.#counted, viewer);
  }

  onReception({ packets, lost }: ReceptionState): void {
    this.#counted.packetsReceived += packets;
    this.#counted.packetsLost += lost;
  }

  onKeyframeRequested(): void {
    this.#counted.keyframeRequests++;
  }

  onShed(kind: TrackKind): void {
    if (kind === 'video') this.#counted.shedFrames++;
    else this.#counted.shedSoundPackets++;
  }

  figures(gauges: WorkerGauges): WorkerFigures {
    const counters = { ...this.#counted };
    for (const viewer of this.#viewers) addViewerTo(counters, viewer);
    const viewers = [...this.#viewers];
    return {
      ...gauges,
      ...counters,
      viewers: viewers.length,
      roundTripMs: median(viewers.map(({ network }) => network.roundTripMs)),
      availableBitrate: median(viewers.map(({ availableBitrate }) => availableBitrate)),
    };
  }
}

function addViewerTo(counters: Counters, { network, resent, failedSends }: Viewer): void {
  counters.packetsSent += network.packets;
  counters.packetsMissed += network.lost;
  counters.packetsResent += resent;
  counters.failedSends += failedSends;
}

/** Of the values that are known. */
function median(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined).toSorted((a, b) => a - b);
  return known[Math.floor((known.length - 1) / 2)];
}
