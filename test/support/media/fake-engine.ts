import { randomBytes, randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { writeAnswer, type AnsweredMedia, type LocalTransportParameters } from '../../../server/media/sdp/answer.js';
import {
  mustHaveSameMedia,
  negotiatePublisher,
  negotiateSubscriber,
  type PublishedTrack,
} from '../../../server/media/sdp/negotiation.js';
import { readOffer } from '../../../server/media/sdp/offer.js';
import { EVERY_CAPABILITY } from '../../../server/media/engine/engine-capabilities.js';
import { addedSourceTracks } from '../../../server/media/embedded/frames/frame-packetizer.js';
import type { MediaEngine, MediaEngineEvents, TapAddress } from '../../../server/media/engine/media-engine.js';
import { MediaError } from '../../../server/media/engine/media-error.js';
import type { Delivery, LayerState, MediaHealth, StreamStats } from '../../../server/media/engine/media-figures.js';
import type {
  AddedSource,
  AddSourceOptions,
  LayerChoice,
  MediaSession,
  PublishingSession,
  PublishOptions,
  ViewingSession,
  ViewOptions,
} from '../../../server/media/engine/media-session.js';
import type {
  AddedTracks,
  Keyframe,
  SourceFrame,
  SourceId,
  TrackKind,
  VideoCodec,
} from '../../../server/media/engine/media-track.js';
import type { TapTracks } from '../../../server/media/engine/tap.js';
import { FakeStream, FakeViewer } from './fake-stream.js';
import { FakeTaps } from './fake-taps.js';
import { DELTA_PAYLOADS, KEYFRAME_PAYLOADS } from './rtp.js';

/**
 * A media engine without a network. It reads and answers offers as the embedded engine does. Peers are connected at
 * once, and media flows when a test calls `sendFrame`.
 */
export class FakeEngine extends EventEmitter<MediaEngineEvents> implements MediaEngine {
  readonly capabilities = EVERY_CAPABILITY;
  /** Whether the transports of viewers open. */
  peersConnect = true;
  /** The frames of added sources, in order. */
  readonly writtenFrames: SourceFrame[] = [];
  readonly taps = new FakeTaps();
  /** What each publisher was told last that it may send, by the id of its session. */
  readonly toldBitrates = new Map<string, number | undefined>();
  readonly #streams = new Map<string, FakeStream>();
  #isDown = false;

  async publish(
    name: string,
    sdp: string,
    { codec, sourceId = null }: PublishOptions = {},
  ): Promise<PublishingSession> {
    this.#mustBeUp();
    const { tracks, media } = negotiatePublisher(readOffer(sdp), codec);
    const { sources } = this.#stream(name);
    if (sources.has(sourceId)) throw new MediaError('stream_in_use', 'the source has a publisher already');
    const sessionId = randomUUID();
    sources.set(sourceId, { sessionId, sourceId, tracks, live: false, packetsIn: 0, packetsOut: 0 });
    this.taps.begin(name, sourceId, tapTracks(tracks));
    return {
      ...this.#session(sessionId, media),
      limitBitrate: async (maxBitrate) => {
        this.#mustBeUp();
        if (!this.has(sessionId)) throw new MediaError('engine_unavailable', 'the session has ended');
        this.toldBitrates.set(sessionId, maxBitrate);
      },
    };
  }

  async addSource(name: string, added: AddedTracks, { sourceId = null }: AddSourceOptions = {}): Promise<AddedSource> {
    this.#mustBeUp();
    const { sources } = this.#stream(name);
    if (sources.has(sourceId)) throw new MediaError('stream_in_use', 'the source has a publisher already');
    const extensions = {
      rid: undefined,
      repairedRid: undefined,
      transportSequence: undefined,
      absoluteSendTime: undefined,
      dependencyDescriptor: undefined,
      captureTime: undefined,
    };
    const published = (added: AddedTracks): PublishedTrack[] =>
      addedSourceTracks(added).map(({ kind, format }) => ({
        kind,
        format,
        retransmission: undefined,
        redundancy: undefined,
        isNacked: false,
        isAskable: true,
        encodings: [],
        extensions,
      }));
    const tracks = published(added);
    const id = randomUUID();
    sources.set(sourceId, { sessionId: id, sourceId, tracks, live: false, packetsIn: 0, packetsOut: 0 });
    this.taps.begin(name, sourceId, tapTracks(tracks));
    return {
      id,
      write: (frame) => {
        if (!this.has(id)) return;
        this.writtenFrames.push(frame);
        this.taps.frame(name, sourceId, frame);
        this.#deliver(name, sourceId);
      },
      setTracks: (other) => {
        const source = sources.get(sourceId);
        if (source?.sessionId !== id) return;
        const changed = published(other);
        sources.set(sourceId, { ...source, tracks: changed });
        this.taps.end(name, sourceId);
        this.taps.begin(name, sourceId, tapTracks(changed));
        const kinds = changed.map(({ kind }) => kind);
        if (source.live) this.emit('updated', name, sourceId, kinds);
      },
      close: () => void this.#end(id),
    };
  }

  async view(name: string, sdp: string, options: ViewOptions = {}): Promise<ViewingSession> {
    this.#mustBeUp();
    const describe = (kind: TrackKind) => ({
      ssrc: kind === 'audio' ? 1 : 2,
      cname: name,
      stream: 'fake',
      track: kind,
    });
    const { formats, media } = negotiateSubscriber(readOffer(sdp), describe);
    const id = randomUUID();
    const viewer = new FakeViewer(formats, media, options);
    this.#stream(name).viewers.set(id, viewer);
    // The transport opens after the answer, as it does over a network.
    setImmediate(() => this.peersConnect && this.setReachable(id, true));
    if (options.networkEveryMs !== undefined) {
      const timer = setInterval(() => {
        if (!this.has(id)) return clearInterval(timer);
        const packets = this.received(id, 'audio') + this.received(id, 'video');
        if (packets > 0) this.emit('network', id, { packets, lost: 0, roundTripMs: undefined });
      }, options.networkEveryMs).unref();
    }
    return {
      ...this.#session(id, media),
      mids: viewer.mids,
      select: async (layer) => {
        this.#mustBeUp();
        if (!this.has(id)) throw new MediaError('engine_unavailable', 'the session has ended');
        viewer.layer = layer;
      },
      project: async (sourceId, projections) => {
        this.#mustBeUp();
        if (sourceId !== undefined && !this.#stream(name).sources.has(sourceId)) {
          throw new MediaError('unknown_source', 'the stream has no such source');
        }
        viewer.project(sourceId, projections);
      },
      unproject: async (mediaIds) => {
        this.#mustBeUp();
        viewer.unproject(mediaIds);
      },
    };
  }

  async stats(name: string): Promise<StreamStats> {
    this.#mustBeUp();
    return (this.#streams.get(name) ?? new FakeStream()).stats();
  }

  async deliveries(name: string): Promise<readonly Delivery[]> {
    this.#mustBeUp();
    const stream = this.#streams.get(name);
    const isLive = [...(stream?.sources.values() ?? [])].some(({ live }) => live);
    const layer = { encodingId: '0', spatialLayerId: undefined, temporalLayerId: undefined, width: 320, height: 180 };
    return [...(stream?.viewers.keys() ?? [])].map((sessionId) => ({
      sessionId,
      bitrate: isLive ? 500_000 : 0,
      availableBitrate: undefined,
      layer: isLive ? layer : undefined,
      failedSends: 0,
    }));
  }

  /** A path that nobody listens on: only `taps.open` knows it. */
  tapAddress(name: string): TapAddress | undefined {
    return this.#streams.get(name)?.sources.size ? { path: `/tap/${name}` } : undefined;
  }

  async keyframe(name: string, sourceId: SourceId): Promise<Keyframe | undefined> {
    this.#mustBeUp();
    const source = this.#streams.get(name)?.sources.get(sourceId);
    const video = source?.live ? source.tracks.find(({ kind }) => kind === 'video') : undefined;
    if (!video) return undefined;
    const codec = video.format.codec as VideoCodec;
    return { codec, data: KEYFRAME_PAYLOADS[codec].subarray(1), width: 320, height: 180 };
  }

  /** The deadline that was set last. */
  publishesUntil = Infinity;

  health(): MediaHealth {
    const faults = this.#isDown ? [{ component: 'fake', message: 'the fake engine is down', since: 1_000 }] : [];
    return { isUsable: !this.#isDown, faults };
  }

  publishUntil(time: number): void {
    this.publishesUntil = time;
  }

  async close(): Promise<void> {
    for (const id of this.#sessionIds()) this.#end(id);
    this.#streams.clear();
    this.taps.close();
    this.#isDown = true;
  }

  /** Sends one packet of each track of a source. The video packet is a keyframe, unless a test says otherwise. */
  sendFrame(name: string, sourceId: SourceId = null, isKeyframe = true): void {
    const timestampMs = performance.now();
    for (const { kind, format } of this.#stream(name).sources.get(sourceId)?.tracks ?? []) {
      const codec = format.codec as VideoCodec;
      const payload = kind === 'video' ? (isKeyframe ? KEYFRAME_PAYLOADS : DELTA_PAYLOADS)[codec] : Buffer.of(0xf8);
      const data = kind === 'video' ? payload.subarray(1) : payload;
      this.taps.frame(name, sourceId, { kind, data, isKeyframe: kind === 'audio' || isKeyframe, timestampMs });
    }
    this.#deliver(name, sourceId);
  }

  #deliver(name: string, sourceId: SourceId): void {
    const stream = this.#stream(name);
    const source = stream.sources.get(sourceId);
    if (!source) throw new Error(`there is no publisher of ${sourceId ?? 'the main source'} of ${name}`);
    const wasLive = source.live;
    stream.deliverFrame(source);
    const kinds = source.tracks.map(({ kind }) => kind);
    if (!wasLive) this.emit('live', name, sourceId, kinds);
  }

  /** Reports that other tracks of a live source send packets now. */
  changeTracks(name: string, sourceId: SourceId, tracks: readonly TrackKind[]): void {
    this.emit('updated', name, sourceId, tracks);
  }

  reportLayers(name: string, sourceId: SourceId, layers: readonly LayerState[]): void {
    this.emit('layers', name, sourceId, layers);
  }

  /** Reports that a source sent this much in the last second, in bit/s. */
  reportBitrate(name: string, sourceId: SourceId, bitrate: number): void {
    const codecs = { audio: 'opus', video: 'h264' };
    this.emit('reception', name, sourceId, { packets: 1, lost: 0, shed: 0, jitterMs: 0, bitrate, codecs });
  }

  /** How many packets of the kind a viewer received; 0 if there is no such viewer. */
  received(sessionId: string, kind: TrackKind): number {
    return this.#viewer(sessionId)?.received[kind] ?? 0;
  }

  /** The options that a viewer connected with. */
  optionsOf(sessionId: string): ViewOptions | undefined {
    return this.#viewer(sessionId)?.options;
  }

  /** The layer that a viewer chose last. */
  layerOf(sessionId: string): LayerChoice | undefined {
    return this.#viewer(sessionId)?.layer;
  }

  /** The sessions of the viewers of a stream. */
  viewerIds(name: string): string[] {
    return [...this.#stream(name).viewers.keys()];
  }

  has(sessionId: string): boolean {
    return this.#sessionIds().includes(sessionId);
  }

  setReachable(sessionId: string, reachable: boolean): void {
    if (this.#viewer(sessionId)) this.emit('reachable', sessionId, reachable);
  }

  /** The transport of a session is lost. */
  loseSession(sessionId: string): void {
    if (this.#end(sessionId)) this.emit('session-lost', sessionId, 'transport_lost');
  }

  /** The engine dies: all sessions are lost, and calls are refused until `recover()`. */
  crash(): void {
    this.#isDown = true;
    for (const id of this.#sessionIds()) {
      this.#end(id);
      this.emit('session-lost', id, 'media_engine_restarted');
    }
    this.taps.close();
  }

  recover(): void {
    this.#isDown = false;
  }

  #mustBeUp(): void {
    if (this.#isDown) throw new MediaError('engine_unavailable', 'the media engine is not running');
  }

  #stream(name: string): FakeStream {
    const stream = this.#streams.get(name) ?? new FakeStream();
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

  #session(id: string, media: readonly AnsweredMedia[]): MediaSession {
    return {
      id,
      answer: writeAnswer('1', media, unreachableTransport()),
      renew: async (offer) => {
        this.#mustBeUp();
        mustHaveSameMedia(media, readOffer(offer));
        if (!this.has(id)) throw new MediaError('engine_unavailable', 'the session has ended');
        return writeAnswer('1', media, unreachableTransport());
      },
      close: () => void this.#end(id),
    };
  }

  #sessionIds(): string[] {
    const ids: string[] = [];
    for (const { sources, viewers } of this.#streams.values()) {
      for (const { sessionId } of sources.values()) ids.push(sessionId);
      ids.push(...viewers.keys());
    }
    return ids;
  }

  #end(id: string): boolean {
    for (const [name, { sources, viewers }] of this.#streams) {
      if (viewers.delete(id)) return true;
      const source = [...sources.values()].find(({ sessionId }) => sessionId === id);
      if (!source) continue;
      sources.delete(source.sourceId);
      this.taps.end(name, source.sourceId);
      if (source.live) this.emit('ended', name, source.sourceId);
      return true;
    }
    return false;
  }
}

function tapTracks(tracks: readonly PublishedTrack[]): TapTracks {
  const codec = tracks.find(({ kind }) => kind === 'video')?.format.codec as VideoCodec | undefined;
  const hasAudio = tracks.some(({ kind }) => kind === 'audio');
  return { video: codec && { codec }, audio: hasAudio ? { codec: 'opus' } : undefined };
}

/** Valid parameters of a transport that does not exist. Port 9 is the discard port. */
function unreachableTransport(): LocalTransportParameters {
  const fingerprint = [...randomBytes(32)].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':');
  return {
    usernameFragment: randomBytes(3).toString('base64'),
    password: randomBytes(18).toString('base64'),
    fingerprint: `sha-256 ${fingerprint}`,
    setup: 'passive',
    candidates: ['candidate:1 1 UDP 2130706431 127.0.0.1 9 typ host'],
  };
}
