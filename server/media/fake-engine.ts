import { randomBytes, randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { LocalTransportParameters } from './embedded/sdp/answer.js';
import { writeAnswer, type AnsweredMedia } from './embedded/sdp/answer.js';
import { matchFormat, type Format } from './embedded/sdp/codecs.js';
import {
  mustHaveSameMedia,
  negotiatePublisher,
  negotiateSubscriber,
  type PublishedTrack,
} from './embedded/sdp/negotiation.js';
import { readOffer } from './embedded/sdp/offer.js';
import {
  MediaError,
  type LayerChoice,
  type LayerState,
  type MediaEngine,
  type MediaEngineEvents,
  type MediaSession,
  type Projection,
  type PublishOptions,
  type SourceId,
  type StreamStats,
  type TrackKind,
  type ViewingSession,
  type ViewOptions,
} from './media-engine.js';

interface FakeSource {
  readonly id: string;
  readonly sourceId: SourceId;
  readonly tracks: readonly PublishedTrack[];
  live: boolean;
  packetsIn: number;
  packetsOut: number;
}

/** What an m-line shows: what the stream shows by itself, a source that was projected, or nothing. */
interface FakeLine {
  readonly kind: TrackKind;
  shows: { readonly sourceId: SourceId } | 'main' | 'nothing';
}

interface FakeViewer {
  readonly id: string;
  readonly formats: Readonly<Record<TrackKind, readonly Format[]>>;
  readonly options: ViewOptions;
  readonly lines: Map<string, FakeLine>;
  readonly received: Record<TrackKind, number>;
  layer: LayerChoice;
}

interface FakeStream {
  readonly sources: Map<SourceId, FakeSource>;
  readonly viewers: Map<string, FakeViewer>;
}

/**
 * An engine without a network, for tests of what stands on one. It reads offers and answers them as the embedded
 * engine does; peers are connected at once, and media flows when a test says so.
 */
export class FakeEngine extends EventEmitter<MediaEngineEvents> implements MediaEngine {
  readonly #streams = new Map<string, FakeStream>();
  #down = false;

  async publish(name: string, sdp: string, { codec, sourceId = null }: PublishOptions = {}): Promise<MediaSession> {
    this.#mustBeUp();
    const { tracks, media } = negotiatePublisher(readOffer(sdp), codec);
    const { sources } = this.#stream(name);
    if (sources.has(sourceId)) throw new MediaError('stream_in_use', 'the source has a publisher already');
    const id = randomUUID();
    sources.set(sourceId, { id, sourceId, tracks, live: false, packetsIn: 0, packetsOut: 0 });
    return this.#session(id, media);
  }

  async view(name: string, sdp: string, options: ViewOptions = {}): Promise<ViewingSession> {
    this.#mustBeUp();
    const source = (kind: TrackKind) => ({ ssrc: kind === 'audio' ? 1 : 2, cname: name, stream: 'fake', track: kind });
    const { formats, media } = negotiateSubscriber(readOffer(sdp), source);
    const id = randomUUID();
    const mids = midsOf(media);
    const lines = new Map<string, FakeLine>();
    for (const kind of ['audio', 'video'] as const) {
      const mid = mids[kind];
      if (mid !== undefined) lines.set(mid, { kind, shows: 'main' });
    }
    const { layer = {} } = options;
    const viewer: FakeViewer = { id, formats, options, lines, layer, received: { audio: 0, video: 0 } };
    this.#stream(name).viewers.set(id, viewer);
    this.#open(id);
    return {
      ...this.#session(id, media),
      mids,
      select: async (wanted) => {
        this.#mustBeUp();
        if (!this.has(id)) throw new MediaError('engine_unavailable', 'the session is gone');
        viewer.layer = wanted;
      },
      project: async (sourceId, projections) => this.#project(name, viewer, sourceId, projections),
      unproject: async (mediaIds) => this.#unproject(viewer, mediaIds),
    };
  }

  async stats(name: string): Promise<StreamStats> {
    this.#mustBeUp();
    const { sources, viewers } = this.#streams.get(name) ?? nobodysStream();
    const all = [...sources.values()];
    const sum = (count: (source: FakeSource) => number): number =>
      all.reduce((total, source) => total + count(source), 0);
    const hasVideo = ({ tracks }: FakeSource): boolean => tracks.some(({ kind }) => kind === 'video');
    return {
      live: all.some(({ live }) => live),
      viewers: viewers.size,
      packetsIn: sum(({ packetsIn }) => packetsIn),
      bytesIn: 1_000 * sum(({ packetsIn }) => packetsIn),
      packetsOut: sum(({ packetsOut }) => packetsOut),
      keyframes: sum((source) => (hasVideo(source) ? source.packetsIn / source.tracks.length : 0)),
      nacksAnswered: 0,
    };
  }

  async close(): Promise<void> {
    for (const id of this.#sessionIds()) this.#end(id);
    this.#streams.clear();
    this.#down = true;
  }

  /** One source of the stream sends one packet of each of its tracks, the video's a keyframe. */
  sendFrame(name: string, sourceId: SourceId = null): void {
    const { sources, viewers } = this.#stream(name);
    const source = sources.get(sourceId);
    if (!source) throw new Error(`nobody publishes ${sourceId ?? 'the main source'} of ${name}`);
    const kinds = source.tracks.map(({ kind }) => kind);
    const begins = !source.live;
    source.live = true;
    for (const { kind, format } of source.tracks) {
      source.packetsIn++;
      for (const viewer of viewers.values()) {
        const shown = [...viewer.lines.values()].filter((line) => shows(line, kind, sourceId, viewer, sources)).length;
        if (shown === 0 || !matchFormat(viewer.formats[kind], format)) continue;
        viewer.received[kind] += shown;
        source.packetsOut += shown;
      }
    }
    if (begins) this.emit('live', name, sourceId, kinds);
  }

  /** Says that other kinds of a live source flow now. */
  changeTracks(name: string, sourceId: SourceId, tracks: readonly TrackKind[]): void {
    this.emit('updated', name, sourceId, tracks);
  }

  /** Says what a source's video comes in. */
  reportLayers(name: string, sourceId: SourceId, layers: readonly LayerState[]): void {
    this.emit('layers', name, sourceId, layers);
  }

  /** How many packets of the kind a viewer has got; 0 when there is no such viewer. */
  received(sessionId: string, kind: TrackKind): number {
    return this.#viewer(sessionId)?.received[kind] ?? 0;
  }

  /** What a viewer asked for when it came. */
  optionsOf(sessionId: string): ViewOptions | undefined {
    return this.#viewer(sessionId)?.options;
  }

  /** The layer that a viewer chose last. */
  layerOf(sessionId: string): LayerChoice | undefined {
    return this.#viewer(sessionId)?.layer;
  }

  /** Whether the engine still has the session. */
  has(sessionId: string): boolean {
    return this.#sessionIds().includes(sessionId);
  }

  /** A viewer falls silent, or is heard again. */
  setReachable(sessionId: string, reachable: boolean): void {
    if (this.#viewer(sessionId)) this.emit('reachable', sessionId, reachable);
  }

  /** The peer goes away without a word. */
  loseSession(sessionId: string): void {
    if (this.#end(sessionId)) this.emit('session-lost', sessionId, 'transport_lost');
  }

  /** The engine dies: every session is lost, and until `recover()` every call is refused. */
  crash(): void {
    this.#down = true;
    for (const id of this.#sessionIds()) {
      this.#end(id);
      this.emit('session-lost', id, 'media_engine_restarted');
    }
  }

  recover(): void {
    this.#down = false;
  }

  #mustBeUp(): void {
    if (this.#down) throw new MediaError('engine_unavailable', 'the media engine is not running');
  }

  #stream(name: string): FakeStream {
    const stream = this.#streams.get(name) ?? nobodysStream();
    this.#streams.set(name, stream);
    return stream;
  }

  #viewer(sessionId: string): FakeViewer | undefined {
    for (const { viewers } of this.#streams.values()) {
      const viewer = viewers.get(sessionId);
      if (viewer) return viewer;
    }
    return undefined;
  }

  /** The transport opens once the answer is out, as it does over a network. */
  #open(id: string): void {
    setImmediate(() => this.setReachable(id, true));
  }

  #project(name: string, viewer: FakeViewer, sourceId: SourceId, projections: readonly Projection[]): void {
    this.#mustBeUp();
    if (!this.#stream(name).sources.has(sourceId)) {
      throw new MediaError('unknown_source', 'the stream has no such source');
    }
    const chosen = projections.map(({ kind, mediaId }): [string, TrackKind] => {
      const mid = mediaId ?? [...viewer.lines].find(([, line]) => line.kind === kind)?.[0];
      if (mid === undefined || (viewer.lines.get(mid)?.kind ?? kind) !== kind) {
        throw new MediaError('unknown_media', `the viewer has no such m-line for ${kind}`);
      }
      return [mid, kind];
    });
    for (const [mid, kind] of chosen) viewer.lines.set(mid, { kind, shows: { sourceId } });
  }

  #unproject({ lines }: FakeViewer, mediaIds: readonly string[]): void {
    this.#mustBeUp();
    if (mediaIds.some((mid) => !lines.has(mid))) throw new MediaError('unknown_media', 'the viewer has no such m-line');
    for (const mid of mediaIds) lines.get(mid)!.shows = 'nothing';
  }

  #session(id: string, media: readonly AnsweredMedia[]): MediaSession {
    return {
      id,
      answer: writeAnswer('1', media, nobody()),
      renew: async (offer) => {
        this.#mustBeUp();
        mustHaveSameMedia(media, readOffer(offer));
        if (!this.has(id)) throw new MediaError('engine_unavailable', 'the session is gone');
        return writeAnswer('1', media, nobody());
      },
      close: () => void this.#end(id),
    };
  }

  #sessionIds(): string[] {
    const ids: string[] = [];
    for (const { sources, viewers } of this.#streams.values()) {
      for (const { id } of sources.values()) ids.push(id);
      ids.push(...viewers.keys());
    }
    return ids;
  }

  #end(id: string): boolean {
    for (const [name, { sources, viewers }] of this.#streams) {
      if (viewers.delete(id)) return true;
      const source = [...sources.values()].find((candidate) => candidate.id === id);
      if (!source) continue;
      sources.delete(source.sourceId);
      if (source.live) this.emit('ended', name, source.sourceId);
      return true;
    }
    return false;
  }
}

function nobodysStream(): FakeStream {
  return { sources: new Map(), viewers: new Map() };
}

function midsOf(media: readonly AnsweredMedia[]): Partial<Record<TrackKind, string>> {
  const mids: Partial<Record<TrackKind, string>> = {};
  for (const { offered, direction } of media) {
    if (direction === 'sendonly' && offered.kind) mids[offered.kind] ??= offered.mid;
  }
  return mids;
}

function shows(
  line: FakeLine,
  kind: TrackKind,
  sourceId: SourceId,
  { options }: FakeViewer,
  sources: ReadonlyMap<SourceId, FakeSource>,
): boolean {
  if (line.kind !== kind || line.shows === 'nothing') return false;
  if (line.shows !== 'main') return line.shows.sourceId === sourceId;
  return mainSource(options, sources) === sourceId;
}

/** The source that main m-lines show; undefined: none. */
function mainSource(
  { pinnedSourceId, excludedSourceIds = [] }: ViewOptions,
  sources: ReadonlyMap<SourceId, FakeSource>,
): SourceId | undefined {
  if (pinnedSourceId !== undefined) return pinnedSourceId;
  if (sources.get(null)?.live) return null;
  return [...sources.values()].find(
    ({ live, sourceId }) => live && sourceId !== null && !excludedSourceIds.includes(sourceId),
  )?.sourceId;
}

/** Values of the right form that lead nowhere: port 9 discards. */
function nobody(): LocalTransportParameters {
  const fingerprint = [...randomBytes(32)].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':');
  return {
    usernameFragment: randomBytes(3).toString('base64'),
    password: randomBytes(18).toString('base64'),
    fingerprint: `sha-256 ${fingerprint}`,
    setup: 'passive',
    candidates: ['candidate:1 1 UDP 2130706431 127.0.0.1 9 typ host'],
  };
}
