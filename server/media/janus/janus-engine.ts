import { Emitter } from '../../faults/emitter.js';
import type { EngineCapabilities } from '../engine/engine-capabilities.js';
import { negotiatePublisher } from '../sdp/negotiation.js';
import { readOffer } from '../sdp/offer.js';
import type { MediaEngine, MediaEngineEvents, TapAddress } from '../engine/media-engine.js';
import { MediaError } from '../engine/media-error.js';
import type { Delivery, MediaFault, MediaHealth, StreamStats } from '../engine/media-figures.js';
import type { OfferedViewing, PublishingSession, PublishOptions, ViewOptions } from '../engine/media-session.js';
import type { Keyframe } from '../engine/media-track.js';
import { JanusConnection } from './janus-connection.js';
import type { JanusServer } from './janus-server.js';
import { JanusStream } from './janus-stream.js';
import { JANUS_TIMES, type JanusTimes } from './janus-times.js';
import { receivedKinds } from './subscriber-sdp.js';

export interface JanusEngineOptions {
  /** `ws:` or `wss:` of the Janus that publishers connect to. */
  readonly url: string;
  /** Of the Janus that viewers connect to. Its host is also the address at which it receives RTP. Empty: `url`. */
  readonly edgeUrls?: readonly string[] | undefined;
  /** `api_secret` of janus.jcfg. */
  readonly apiSecret?: string | undefined;
  /** A stored token, for Janus with `token_auth`. */
  readonly token?: string | undefined;
  /** `admin_key` of janus.plugin.videoroom.jcfg. */
  readonly roomKey?: string | undefined;
  /** What publishers are asked to send at most, in bit/s. */
  readonly maxBitrate: number;
  /** Default: `JANUS_TIMES`. */
  readonly times?: JanusTimes | undefined;
  readonly onLog?: ((entry: JanusLogEntry) => void) | undefined;
}

export interface JanusLogEntry {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [field: string]: unknown;
}

const CAPABILITIES: EngineCapabilities = {
  layers: false,
  viewerCounts: true,
  resume: false,
  keepsViewers: true,
  frames: false,
  restrictsTracks: true,
  answersWaiting: true,
  limitsBitrate: true,
  measuresBitrate: false,
  offerFrom: 'server',
};

/**
 * Media by Janus, a server of its own that this server controls over its websocket API (decision 39). A stream is a
 * private room of its videoroom plugin.
 *
 * While Janus cannot be reached, calls fail with `engine_unavailable`. When it was restarted, all sessions are lost.
 */
export class JanusEngine extends Emitter<MediaEngineEvents> implements MediaEngine {
  static readonly capabilities = CAPABILITIES;
  readonly capabilities = CAPABILITIES;
  readonly #options: JanusEngineOptions;
  readonly #origin: JanusServer;
  readonly #edges: readonly JanusServer[];
  readonly #streams = new Map<string, JanusStream>();
  #isClosed = false;

  constructor(options: JanusEngineOptions) {
    super('media');
    this.#options = options;
    const { url, edgeUrls = [] } = options;
    this.#origin = { connection: this.#connect(url), rtpAddress: undefined };
    this.#edges = edgeUrls.map((edge) => ({ connection: this.#connect(edge), rtpAddress: hostOf(edge) }));
  }

  async publish(
    stream: string,
    offer: string,
    { codec, sourceId = null }: PublishOptions = {},
  ): Promise<PublishingSession> {
    this.#requireOpen();
    if (sourceId !== null) throw onlyMainSource();
    negotiatePublisher(readOffer(offer), codec);
    return await this.#streamOf(stream).publish(offer, codec);
  }

  async offer(stream: string, wanted: string, { pinnedSourceId }: ViewOptions = {}): Promise<OfferedViewing> {
    this.#requireOpen();
    if (pinnedSourceId !== undefined) throw onlyMainSource();
    const kinds = receivedKinds(readOffer(wanted));
    return await this.#streamOf(stream).offer(this.#serverForViewer(), kinds);
  }

  async view(): Promise<never> {
    this.#requireOpen();
    throw new MediaError('answer_required', 'Janus makes the offer for viewers, and this client cannot answer one');
  }

  async addSource(): Promise<never> {
    this.#requireOpen();
    throw new MediaError('engine_unsupported', 'Janus takes media from WebRTC publishers only');
  }

  async stats(stream: string): Promise<StreamStats> {
    this.#requireOpen();
    const { isLive = false, viewers = 0 } = this.#streams.get(stream) ?? {};
    return { live: isLive, viewers, packetsIn: 0, bytesIn: 0, packetsOut: 0, keyframes: 0, nacksAnswered: 0 };
  }

  async deliveries(): Promise<readonly Delivery[]> {
    return [];
  }

  async keyframe(): Promise<Keyframe | undefined> {
    return undefined;
  }

  tapAddress(): TapAddress | undefined {
    return undefined;
  }

  health(): MediaHealth {
    const message = 'Janus does not answer: no session can have media until it is back';
    const ofOrigin = faultsOf(this.#origin, 'janus', message);
    const ofEdges = this.#edges.flatMap((edge, index) =>
      faultsOf(edge, `janus_edge_${index + 1}`, `Edge ${index + 1} of Janus does not answer: viewers use the others`),
    );
    return { isUsable: ofOrigin.length === 0, faults: [...ofOrigin, ...ofEdges] };
  }

  /**
   * Nothing: Janus has no such deadline. It ends the sessions of a server that is paused when no keepalive came for its
   * `session_timeout`.
   */
  publishUntil(): void {}

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const stream of Array.from(this.#streams.values())) stream.close();
    await Promise.all([this.#origin, ...this.#edges].map(({ connection }) => connection.close()));
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new MediaError('engine_unavailable', 'the media engine is closed');
  }

  /** The edge with the fewest sessions. Without an edge that answers: the Janus of publishers. */
  #serverForViewer(): JanusServer {
    const usesOf = (server: JanusServer) =>
      Array.from(this.#streams.values()).reduce((sum, stream) => sum + stream.usesOf(server), 0);
    const open = this.#edges.filter(({ connection }) => connection.isOpen && connection.awaySince === undefined);
    return open.toSorted((a, b) => usesOf(a) - usesOf(b))[0] ?? this.#origin;
  }

  #streamOf(name: string): JanusStream {
    const known = this.#streams.get(name);
    if (known) return known;
    const { roomKey, maxBitrate, times = JANUS_TIMES } = this.#options;
    const stream = new JanusStream(this.#origin, { roomKey, maxBitrate }, times.showAgainAfter, {
      onLive: (tracks) => this.emit('live', name, null, tracks),
      onUpdated: (tracks) => this.emit('updated', name, null, tracks),
      onEnded: () => this.emit('ended', name, null),
      onReachable: (sessionId) => this.emit('reachable', sessionId, true),
      onLost: (sessionId, cause) => this.emit('session-lost', sessionId, cause),
      onEmpty: () => this.#streams.get(name) === stream && this.#streams.delete(name),
      onFault: (err) => this.#log({ level: 'error', message: 'viewers could not be shown a publisher of Janus', err }),
    });
    this.#streams.set(name, stream);
    return stream;
  }

  #connect(url: string): JanusConnection {
    let isRefused = false;
    return new JanusConnection({
      url,
      apiSecret: this.#options.apiSecret,
      token: this.#options.token,
      times: this.#options.times ?? JANUS_TIMES,
      onOpen: () => {
        isRefused = false;
        this.#log({ level: 'info', message: 'connected to Janus', url });
      },
      onLost: (reason) => this.#log({ level: 'error', message: 'the sessions of a Janus are lost', url, reason }),
      onRefused: (reason) => {
        if (!isRefused) this.#log({ level: 'warn', message: 'Janus cannot be reached: trying again', url, reason });
        isRefused = true;
      },
    });
  }

  #log(entry: JanusLogEntry): void {
    this.#options.onLog?.(entry);
  }
}

const onlyMainSource = (): MediaError =>
  new MediaError('engine_unsupported', 'with Janus a stream has only its main source: leave the source id out');

function faultsOf({ connection: { awaySince: since } }: JanusServer, component: string, message: string): MediaFault[] {
  return since === undefined ? [] : [{ component, message, since }];
}

/** Without the brackets of an IPv6 address. */
const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');
