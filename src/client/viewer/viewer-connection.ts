import type { ViewerCountEvent } from '../../wire/websocket/stream-events.js';
import { syncTracks, viewerPeerConnection } from '../connection/peer-connections.js';
import { number, type Unread } from '../unread.js';
import { readLayers, type VideoLayer } from './layers.js';
import { isSourceEvent, readSource, selectedSource, withoutSource, withSource, type StreamSource } from './sources.js';
import type { LiveMedia } from './viewer-phase.js';

/** What one session of a viewer receives: its media, and the sources, the layers and the viewer count of the stream. */
export class ViewerConnection {
  readonly peer = viewerPeerConnection();
  /** These change by `handleEvent` alone. */
  sources: readonly StreamSource[] = [];
  layers: readonly VideoLayer[] = [];
  viewers: number | undefined;
  readonly #media = new MediaStream();

  /** The media that plays. Undefined while nobody publishes. */
  get live(): LiveMedia | undefined {
    return this.sources[0] && { media: this.#media, viewers: this.viewers };
  }

  /** @param wanted the source that was asked for */
  handleEvent(name: string, data: unknown, wanted: string | null | undefined): void {
    if (isSourceEvent(name)) {
      const source = readSource(data);
      this.sources =
        name === 'inactive' ? withoutSource(this.sources, source.sourceId) : withSource(this.sources, source);
      // A track that stopped stays, so that the last picture stays.
      this.show(wanted, name === 'updated' ? this.#media.getTracks() : []);
    }
    if (name === 'viewercount') this.viewers = number(data as Unread<ViewerCountEvent>, 'viewercount') ?? this.viewers;
    if (name === 'layers') this.layers = readLayers(data, this.peer.getTransceivers()[0]?.mid ?? '0');
    if (!this.live) this.layers = [];
  }

  /** Puts the tracks that the source sends into the media. `kept` stay there, too. */
  show(wanted: string | null | undefined, kept: readonly MediaStreamTrack[] = []): void {
    const source = selectedSource(this.sources, wanted);
    if (source) syncTracks(this.peer, this.#media, [...source.kinds, ...kept.map(({ kind }) => kind)]);
  }

  /** Resolves when a picture or sound arrived, or after `timeoutMs`. */
  async firstMedia(timeoutMs: number): Promise<void> {
    const timeout = AbortSignal.timeout(timeoutMs);
    await new Promise((resolve) => {
      timeout.addEventListener('abort', resolve);
      for (const { track } of this.peer.getReceivers()) {
        if (!track.muted) resolve(track);
        track.addEventListener('unmute', resolve, { signal: timeout });
      }
    });
  }
}
