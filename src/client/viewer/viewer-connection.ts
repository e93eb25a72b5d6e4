import { readLayers, type VideoLayer } from './layers.js';
import { syncTracks, viewerPeerConnection } from '../connection/peer-connections.js';
import { number, text } from '../decode.js';
import { readSource, selectedSource, withoutSource, withSource, type StreamSource } from './sources.js';
import type { LiveMedia } from './viewer-phase.js';

/** One session of a viewer: where the media comes in, and what the service told of the stream. */
export class ViewerConnection {
  readonly peer = viewerPeerConnection();
  readonly #media = new MediaStream();
  #sources: readonly StreamSource[] = [];
  #layers: readonly VideoLayer[] = [];
  #viewers: number | undefined;

  get sources(): readonly StreamSource[] {
    return this.#sources;
  }

  get layers(): readonly VideoLayer[] {
    return this.#layers;
  }

  get viewers(): number | undefined {
    return this.#viewers;
  }

  /** What plays; undefined while nothing is broadcast. */
  get live(): LiveMedia | undefined {
    return this.#sources.length > 0 ? { media: this.#media, viewers: this.#viewers } : undefined;
  }

  /** @param wanted the source that was asked for */
  handleEvent(name: string, data: unknown, wanted: string | null | undefined): void {
    if (name === 'active' || name === 'updated') this.#sources = withSource(this.#sources, readSource(data));
    if (name === 'inactive') this.#sources = withoutSource(this.#sources, text(data, 'sourceId') ?? null);
    if (name === 'active' || name === 'inactive') this.show(wanted);
    // What fell silent stays: its last picture is better than none.
    if (name === 'updated') this.show(wanted, this.#media.getTracks());
    if (name === 'viewercount') this.#viewers = number(data, 'viewercount') ?? this.#viewers;
    if (name === 'layers') this.#layers = readLayers(data, this.peer.getTransceivers()[0]?.mid ?? '0');
    if (!this.live) this.#layers = [];
  }

  /** Puts what the source sends into the media, and leaves there what is to be kept. */
  show(wanted: string | null | undefined, kept: readonly MediaStreamTrack[] = []): void {
    const shown = selectedSource(this.#sources, wanted);
    if (shown) syncTracks(this.peer, this.#media, [...shown.kinds, ...kept.map(({ kind }) => kind)]);
  }

  /** Until a first picture or sound came in; not for ever. */
  async firstMedia(atMostMs: number): Promise<void> {
    const tracks = this.peer.getReceivers().map(({ track }) => track);
    const over = AbortSignal.timeout(atMostMs);
    await new Promise<void>((resolve) => {
      over.addEventListener('abort', () => resolve());
      for (const track of tracks) {
        if (!track.muted) resolve();
        track.addEventListener('unmute', () => resolve(), { signal: over });
      }
    });
  }
}
