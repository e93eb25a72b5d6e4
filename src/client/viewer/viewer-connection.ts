import type {
  InactiveEvent,
  InterruptedEvent,
  PausedEvent,
  ViewerCountEvent,
} from '../../wire/websocket/stream-events.js';
import { syncTracks, viewerPeerConnection } from '../connection/peer-connections.js';
import { field, list, number, type Unread } from '../unread.js';
import { readLayers, type VideoLayer } from './layers.js';
import {
  isSourceEvent,
  readSource,
  selectedSource,
  withoutSource,
  withSource,
  type StreamSource,
  type TrackKind,
} from './sources.js';
import type { AwaitedMedia, DeclaredEnd, LiveMedia } from './viewer-phase.js';

/** What one session of a viewer receives: its media, and the sources, the layers and the viewer count of the stream. */
export class ViewerConnection {
  readonly peer: RTCPeerConnection;
  /** Only `handleEvent` changes these fields. */
  sources: readonly StreamSource[] = [];
  layers: readonly VideoLayer[] = [];
  viewers: number | undefined;
  #paused: { readonly videoPaused?: true } = {};
  #interrupted: readonly unknown[] = [];
  /** Of the last broadcast, while none is live. */
  end: DeclaredEnd = {};
  /** The source that is shown. */
  #shown: string | null | undefined;
  readonly #media: MediaStream;

  /** @param kinds the kinds of tracks to receive. Empty: those that the server offers */
  constructor(kinds: readonly TrackKind[]) {
    // First, because it says that there is no WebRTC where there is no MediaStream either.
    this.peer = viewerPeerConnection(kinds);
    this.#media = new MediaStream();
    syncTracks(this.peer, this.#media, kinds);
  }

  /** The media that will be live. Undefined without video: a video would play such media before there is any sound. */
  get awaited(): AwaitedMedia | undefined {
    return this.#media.getVideoTracks()[0] && { media: this.#media };
  }

  /** The media of the stream. Undefined while there is no source. */
  get live(): LiveMedia | undefined {
    const interrupted = this.#interrupted.includes(this.#shown) && ({ interrupted: true } as const);
    return this.sources[0] && { media: this.#media, viewers: this.viewers, ...this.#paused, ...interrupted };
  }

  /** @param wanted the requested source */
  handleEvent(name: string, data: unknown, wanted: string | null | undefined): void {
    if (isSourceEvent(name)) {
      const source = readSource(data);
      this.sources =
        name === 'inactive' ? withoutSource(this.sources, source.sourceId) : withSource(this.sources, source);
      this.end = readEnd(data);
      // A stopped track stays in the media, so that the last picture stays visible.
      this.show(wanted, name === 'updated' ? this.#media.getTracks() : []);
    }
    if (name === 'viewercount') this.viewers = number(data as Unread<ViewerCountEvent>, 'viewercount') ?? this.viewers;
    const mid = this.peer.getTransceivers()[0]?.mid ?? '0';
    if (name === 'layers') this.layers = readLayers(data, mid);
    if (name === 'paused') {
      const paused: readonly unknown[] = list(data as Unread<PausedEvent>, 'mediaIds');
      this.#paused = paused.includes(mid) ? { videoPaused: true } : {};
    }
    if (name === 'interrupted') this.#interrupted = list(data as Unread<InterruptedEvent>, 'sourceIds');
    if (!this.live) this.layers = [];
  }

  /** Makes the media contain the tracks of the source, and `kept`. */
  show(wanted: string | null | undefined, kept: readonly MediaStreamTrack[] = []): void {
    const source = selectedSource(this.sources, wanted);
    this.#shown = source?.sourceId;
    if (source) syncTracks(this.peer, this.#media, [...source.kinds, ...kept.map(({ kind }) => kind)]);
  }

  /** Resolves when video or audio has arrived, or after `timeoutMs`. */
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

/** What an `inactive` says of the end. */
export function readEnd(data: unknown): DeclaredEnd {
  const end = data as Unread<InactiveEvent>;
  return field(end, 'declared') ? { declared: true, endedOn: number(end, 'endedOn') } : {};
}
