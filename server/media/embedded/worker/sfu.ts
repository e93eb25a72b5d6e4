import { IceUdpMuxListener } from 'node-datachannel';
import { Emitter } from '../../../faults/emitter.js';
import { reportFault } from '../../../faults/fault.js';
import { every } from '../../../faults/timers.js';
import type { MediaEngineEvents } from '../../engine/media-engine.js';
import { MediaError } from '../../engine/media-error.js';
import type { Delivery, StreamStats } from '../../engine/media-figures.js';
import type {
  AddedSource,
  AddSourceOptions,
  PublishingSession,
  PublishOptions,
  ShownMedia,
  ViewOptions,
} from '../../engine/media-session.js';
import type { AddedTracks, Keyframe, SourceId } from '../../engine/media-track.js';
import type { ArrivalWindow } from '../bandwidth/transport-feedback-generator.js';
import { Subscriber } from '../consumer/subscriber.js';
import { describeSentTracks, subscriberParameters } from '../consumer/subscriber-parameters.js';
import type { PacingState } from '../producer/frame-pacer.js';
import { PublisherTransport, type PublisherTransportOptions } from '../producer/publisher-transport.js';
import { mainMids, negotiatePublisher, negotiateSubscriber } from '../../sdp/negotiation.js';
import { formatName } from '../../sdp/codecs.js';
import type { Offer } from '../../sdp/offer.js';
import { addSource } from '../stream/add-source.js';
import { awaitKeyframe } from '../stream/await-keyframe.js';
import type { Router } from '../stream/router.js';
import { RouterRegistry, type RouterHandle } from '../stream/router-registry.js';
import { NO_STATS } from '../stream/stream-stats.js';
import { answerCandidates, loopbackAddresses, type MediaPorts } from '../transport/ice-candidates.js';
import { IceTcpListener } from '../transport/ice-tcp-listener.js';
import { PeerSessionSet, type PeerMediaSession } from '../transport/peer-session-set.js';
import { availableUdpPort } from '../transport/udp-port.js';
import { WebRtcTransport, type SharedUdpSocket } from '../transport/webrtc-transport.js';
import { EventLoopClock } from './event-loop-clock.js';
import { PacingLoop } from './pacing-loop.js';
import { PublishingDeadline } from './publishing-deadline.js';
import { Scheduler } from './scheduler.js';
import { FigureCounter, type WorkerFigures } from './worker-figures.js';
import { WorkerLoad } from './worker-load.js';
import type { EngineLogEntry } from './engine-log-entry.js';

export interface SfuOptions {
  /** Absent: all interfaces. */
  readonly bindAddress?: string | undefined;
  /** 0: any free port. */
  readonly udpPort: number;
  /** The port for ICE-TCP, for peers whose network blocks UDP. 0: any free port. Absent: no ICE-TCP. */
  readonly tcpPort?: number | undefined;
  /** Named in answers instead of this machine's own addresses. */
  readonly announcedIps?: readonly string[] | undefined;
  /** See `PublisherTransportOptions`. */
  readonly maxRembBitrate?: number | undefined;
}

/** A publisher's session in the process of its worker. */
export interface SfuPublishingSession extends PeerMediaSession, Pick<PublishingSession, 'limitBitrate'> {}

/** A viewer's session in the process of its worker. */
export interface SfuViewingSession extends PeerMediaSession, ShownMedia {
  /** @throws {MediaError} `no_common_codec`: the stream has no video that the viewer can decode. The session has ended */
  mustDecode(): void;
}

/** None of these may throw. */
export interface SfuListener {
  /** An error in our code ended a session. */
  onFault(error: unknown): void;
  onLog(entry: EngineLogEntry): void;
  /** Once a second while there are streams, also in a turn of the event loop that lasts for seconds. */
  onFigures(figures: WorkerFigures): void;
}

const FIGURES_EVERY_MS = 1_000;

/**
 * The media engine within one process: a `MediaEngine` for offers that the server has read. There is one for each process
 * and UDP port.
 */
export class Sfu extends Emitter<MediaEngineEvents> {
  readonly publishingDeadline = new PublishingDeadline();
  readonly #ports: MediaPorts;
  readonly #announcedIps: readonly string[];
  readonly #iceTcp: IceTcpListener | undefined;
  readonly #publisherOptions: PublisherTransportOptions;
  readonly #loopbackIps = loopbackAddresses();
  /** Holds the UDP port while no peer is connected. */
  readonly #udpListener: IceUdpMuxListener;
  readonly #listener: SfuListener;
  readonly #load: WorkerLoad;
  readonly #counter = new FigureCounter();
  #figuresAt = -Infinity;
  readonly #clock = new EventLoopClock();
  /** Runs only while there are streams, so that an idle worker sleeps. */
  readonly #scheduler = new Scheduler(
    () => this.#clock.read().now,
    (now) => this.#tick(now),
  );
  readonly #pacing = new PacingLoop(() => this.#pace(performance.now()));
  readonly #routers = new RouterRegistry({
    eventsOf: (stream) => ({
      onLive: (source, kinds) => this.emit('live', stream, source, kinds),
      onUpdated: (source, kinds) => this.emit('updated', stream, source, kinds),
      onEnded: (source) => this.emit('ended', stream, source),
      onLayers: (source, layers) => this.emit('layers', stream, source, layers),
      onReception: (source, state) => {
        this.#counter.onReception(state);
        this.emit('reception', stream, source, { ...state, isOverloaded: this.#load.isReduced });
      },
      onKeyframeRequested: () => this.#counter.onKeyframeRequested(),
      onShed: (kind) => this.#counter.onShed(kind),
      onHeld: () => this.#pacing.start(),
    }),
    onFirst: () => {
      this.#load.start(performance.now());
      this.#scheduler.start();
    },
    onEmpty: () => {
      this.#scheduler.stop();
      const now = performance.now();
      // Nothing measures the load from now on, and an overload would refuse whatever measures it again.
      this.#load.start(now);
      this.#reportFigures(now);
    },
  });
  readonly #sessions: PeerSessionSet;
  /** The connected viewers, by session id. */
  readonly #subscribers = new Map<string, { readonly stream: string; readonly subscriber: Subscriber }>();
  #closing: Promise<void> | undefined;

  /** @throws {Error} if a port cannot be used, with the reason */
  static async open(options: SfuOptions, listener: SfuListener): Promise<Sfu> {
    const { bindAddress, tcpPort } = options;
    const udpPort = await availableUdpPort(bindAddress, options.udpPort);
    const iceTcp = tcpPort === undefined ? undefined : await IceTcpListener.open({ bindAddress, tcpPort, udpPort });
    return new Sfu({ bindAddress, udpPort, tcpPort: iceTcp?.port }, iceTcp, options, listener);
  }

  private constructor(
    ports: MediaPorts,
    iceTcp: IceTcpListener | undefined,
    { announcedIps = [], maxRembBitrate }: SfuOptions,
    listener: SfuListener,
  ) {
    super('media');
    this.#listener = listener;
    this.#load = new WorkerLoad((entry) => listener.onLog(entry));
    this.#ports = ports;
    this.#announcedIps = announcedIps;
    this.#iceTcp = iceTcp;
    this.#publisherOptions = { maxRembBitrate };
    this.#udpListener = new IceUdpMuxListener(ports.udpPort, ports.bindAddress);
    this.#sessions = new PeerSessionSet({
      arrivalWindow: () => this.arrivalWindow(),
      connect: (offer, listener) => WebRtcTransport.open(offer.ice, ports, listener),
      candidates: ({ local }) => this.candidates(local.candidates),
      onLost: ({ id }) => this.emit('session-lost', id, 'transport_lost'),
      onFault: (error) => listener.onFault(error),
    });
  }

  /** Call for each packet that is handed over, of a peer or of another worker. */
  arrivalWindow(): ArrivalWindow {
    const arrival = this.#clock.read();
    this.#scheduler.onPacket(arrival.now);
    return arrival;
  }

  get udpPort(): number {
    return this.#ports.udpPort;
  }

  /** For links to other servers: those that answer use the same UDP port as peers. */
  get socket(): SharedUdpSocket {
    return this.#ports;
  }

  /** What the other side of a connection is told of the candidates that were gathered. */
  candidates(gathered: readonly string[]): readonly string[] {
    return answerCandidates(gathered, this.#announcedIps, this.#ports, this.#loopbackIps);
  }

  /** Undefined: no ICE-TCP. */
  get tcpPort(): number | undefined {
    return this.#ports.tcpPort;
  }

  get counts(): { readonly streams: number; readonly sessions: number } {
    return { streams: this.#routers.size, sessions: this.#sessions.size };
  }

  async publish(
    stream: string,
    offer: Offer,
    { codec, sourceId = null }: PublishOptions = {},
  ): Promise<SfuPublishingSession> {
    this.#sessions.mustBeOpen();
    const { tracks, media } = negotiatePublisher(offer, codec);
    // Checked and taken before the first await: of two publishers that connect together, one is refused.
    if (this.#routers.find(stream)?.has(sourceId)) {
      throw new MediaError('stream_in_use', 'the source has a publisher already');
    }
    this.mustTake(stream);
    const handle = this.#routers.acquire(stream);
    const { router } = handle;
    const session = this.#sessions.create(media);
    const transport = new PublisherTransport(sourceId, tracks, session, router.sourceEvents, this.#publisherOptions);
    router.addSource(transport);
    const opened = await this.#sessions.start(session, offer, {
      onOpen: () => {},
      onPacket: (packet, arrival) => {
        if (arrival.now >= this.publishingDeadline.at) return;
        transport.receive(packet, arrival);
        this.#scheduler.runSoonIf(router.needsTickSoon);
      },
      onClosed: () => {
        router.removeSource(transport, performance.now());
        this.#sessions.remove(session);
        handle.release();
      },
    });
    return { ...opened, limitBitrate: async (maxBitrate) => transport.limitBitrate(maxBitrate) };
  }

  async addSource(stream: string, tracks: AddedTracks, options: AddSourceOptions = {}): Promise<AddedSource> {
    this.#sessions.mustBeOpen();
    this.mustTake(stream);
    return addSource(this.#routers.acquire(stream), tracks, options);
  }

  async view(stream: string, offer: Offer, options: ViewOptions = {}): Promise<SfuViewingSession> {
    this.#sessions.mustBeOpen();
    // Transport feedback costs as much as many packets, so it is requested only if there may be layers to select.
    const mayHaveLayers = this.#routers.find(stream)?.mayHaveLayers(performance.now()) ?? true;
    const feedback = mayHaveLayers ? 'transport-cc' : 'goog-remb';
    const { sent, media } = negotiateSubscriber(offer, describeSentTracks(), feedback);
    this.#mustHaveRoom();
    const handle = this.#routers.acquire(stream);
    const { router } = handle;
    const session = this.#sessions.create(media);
    const subscriber = new Subscriber(session, subscriberParameters(sent, options), options, {
      onReachable: (reachable) => this.emit('reachable', session.id, reachable),
      onPaused: (mediaIds) => this.emit('paused', session.id, mediaIds),
    });
    const timer = this.#reportNetwork(session.id, subscriber, options.networkEveryMs);
    router.prepareSubscriber(subscriber, performance.now());
    const opened = await this.#sessions.start(session, offer, {
      onOpen: (now) => {
        router.addSubscriber(subscriber, now);
        this.#counter.addViewer(subscriber.transport);
        this.#subscribers.set(session.id, { stream, subscriber });
        this.#scheduler.runSoonIf(router.needsTickSoon);
      },
      onPacket: (packet, { now }) => {
        router.onSubscriberPacket(subscriber, packet, now);
        this.#scheduler.runSoonIf(router.needsTickSoon);
      },
      onClosed: () => {
        clearInterval(timer);
        this.#subscribers.delete(session.id);
        this.#counter.removeViewer(subscriber.transport);
        router.removeSubscriber(subscriber);
        this.#sessions.remove(session);
        handle.release();
      },
    });
    const act = async (action: (now: number) => void) => {
      this.#sessions.mustHave(session);
      action(performance.now());
      this.#scheduler.runSoonIf(router.needsTickSoon);
    };
    const mustDecode = () => {
      const format = router.undecodableFormat(subscriber);
      if (!format) return;
      opened.close();
      throw new MediaError('no_common_codec', `the SDP offer has no ${formatName(format)}, as the stream is`);
    };
    mustDecode();
    return {
      ...opened,
      mids: mainMids(sent),
      mustDecode,
      select: (layer) => act((now) => router.select(subscriber, layer, now)),
      project: (sourceId, projections) => act((now) => router.project(subscriber, sourceId, projections, now)),
      unproject: (mediaIds) => act((now) => router.unproject(subscriber, mediaIds, now)),
    };
  }

  async stats(stream: string): Promise<StreamStats> {
    this.#sessions.mustBeOpen();
    return this.#routers.find(stream)?.stats() ?? NO_STATS;
  }

  async deliveries(stream: string): Promise<readonly Delivery[]> {
    this.#sessions.mustBeOpen();
    const ofStream = [...this.#subscribers].filter(([, viewer]) => viewer.stream === stream);
    return ofStream.map(([sessionId, { subscriber }]) => subscriber.delivery(sessionId));
  }

  async keyframe(stream: string, sourceId: SourceId): Promise<Keyframe | undefined> {
    this.#sessions.mustBeOpen();
    return await awaitKeyframe(() => this.#routers.find(stream), sourceId);
  }

  /**
   * Call before a publisher of the stream begins.
   * @throws {MediaError} `engine_unavailable` while it is overloaded, unless the stream is here: its viewers would wait
   *   in vain
   */
  mustTake(stream: string): void {
    if (!this.#routers.find(stream)) this.#mustHaveRoom();
  }

  /** @throws {MediaError} `engine_unavailable` while it is overloaded */
  #mustHaveRoom(): void {
    if (this.#load.hasRoom(performance.now())) return;
    throw new MediaError('engine_unavailable', 'the media engine is overloaded: try again later');
  }

  #reportNetwork(sessionId: string, { transport }: Subscriber, everyMs?: number): NodeJS.Timeout | undefined {
    if (everyMs === undefined) return undefined;
    return every('media', everyMs, () => {
      const { network } = transport;
      if (network.packets > 0) this.emit('network', sessionId, network);
    }).unref();
  }

  /** For a relay, which has no session of the stream. */
  acquireRouter(stream: string): RouterHandle {
    return this.#routers.acquire(stream);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#scheduler.stop();
    this.#pacing.stop();
    await this.#sessions.close();
    await this.#iceTcp?.close();
    this.#udpListener.stop();
  }

  #pace(now: number): PacingState {
    let soonest: PacingState = 'idle';
    this.#ofEachStream((router) => {
      const state = router.pace(now);
      if (state !== 'idle' && soonest !== 'now') soonest = state;
    });
    return soonest;
  }

  /** @returns whether to tick again soon */
  #tick(now: number): boolean {
    this.#load.addSample(now - this.#clock.notBefore, now);
    if (now - this.#figuresAt >= FIGURES_EVERY_MS) this.#reportFigures(now);
    let isSoon = false;
    this.#ofEachStream((router) => {
      router.setLoadShare(this.#load.share, now);
      router.tick(now);
      isSoon ||= router.needsTickSoon;
    });
    return isSoon;
  }

  /** The fault of one stream does not keep the others waiting. */
  #ofEachStream(act: (router: Router) => void): void {
    for (const [stream, router] of this.#routers.byStream()) {
      try {
        act(router);
      } catch (error) {
        reportFault('media', error, { of: { stream } });
      }
    }
  }

  #reportFigures(now: number): void {
    this.#figuresAt = now;
    let publishers = 0;
    for (const router of this.#routers) publishers += router.publishers;
    const gauges = { publishers, streams: this.#routers.size, ...this.#load.takeFigures() };
    this.#listener.onFigures(this.#counter.figures(gauges));
  }
}
