import { EventEmitter } from 'node:events';
import { IceUdpMuxListener } from 'node-datachannel';
import {
  MediaError,
  type MediaEngine,
  type MediaEngineEvents,
  type MediaSession,
  type PublishOptions,
  type StreamStats,
  type TrackKind,
  type ViewingSession,
  type ViewOptions,
} from '../../media-engine.js';
import { answerCandidates, type MediaPorts } from '../transport/ice-candidates.js';
import { EventLoopClock } from './event-loop-clock.js';
import { Subscriber } from '../consumer/subscriber.js';
import { LoadMonitor } from './load-monitor.js';
import { PublisherTransport } from '../producer/publisher-transport.js';
import type { AnsweredMedia } from '../sdp/answer.js';
import { negotiatePublisher, negotiateSubscriber, type SentMedia } from '../sdp/negotiation.js';
import { readOffer, type Offer } from '../sdp/offer.js';
import { PeerSession, type PeerSessionHandler, type PeerSessionHost } from '../transport/peer-session.js';
import { Router } from '../stream/router.js';
import { IceTcpListener } from '../transport/ice-tcp-listener.js';
import { Scheduler } from './scheduler.js';
import { WebRtcTransport } from '../transport/webrtc-transport.js';
import { availableUdpPort } from '../transport/udp-port.js';
import { describeSentTracks, subscriberParameters } from '../consumer/subscriber-parameters.js';

export interface SfuOptions {
  /** Absent: all interfaces. */
  readonly bindAddress?: string | undefined;
  /** 0: any free port. */
  readonly udpPort: number;
  /** Where peers come whose network lets no UDP out. 0: any free port. Absent: nowhere. */
  readonly tcpPort?: number | undefined;
  /** What answers name instead of the machine's own addresses. */
  readonly announcedIps?: readonly string[] | undefined;
}

interface Stream {
  readonly name: string;
  readonly hub: Router;
  /** Sessions, and others, that keep it in being. */
  holders: number;
}

/** A stream that is kept in being. */
export interface RouterHandle {
  readonly hub: Router;
  release(): void;
}

/** Past this delay everybody's picture suffers: new viewers are better off elsewhere. */
const TOO_LATE_MS = 150;

/** The embedded engine itself, in the process that it runs in. One to a process and UDP port. */
export class Sfu extends EventEmitter<MediaEngineEvents> implements MediaEngine {
  readonly #ports: MediaPorts;
  readonly #door: IceTcpListener | undefined;
  readonly #announcedIps: readonly string[];
  /** Holds the port also while nobody is connected. */
  readonly #portHolder: IceUdpMuxListener;
  readonly #streams = new Map<string, Stream>();
  readonly #sessions = new Set<PeerSession>();
  readonly #load = new LoadMonitor();
  readonly #clock = new EventLoopClock();
  /** Runs while there are streams: an engine that has nothing to do sleeps. */
  readonly #ticker = new Scheduler(
    () => this.#clock.read().now,
    (now) => this.#tick(now),
  );
  readonly #world: PeerSessionHost = {
    arrivalWindow: () => {
      const handover = this.#clock.read();
      this.#ticker.onPacket(handover.now);
      return handover;
    },
    connect: (offer, listener) => WebRtcTransport.open(offer.ice, this.#ports, listener),
    candidates: ({ local }) => answerCandidates(local.candidates, this.#announcedIps, this.#ports),
    onLost: ({ id }) => this.emit('session-lost', id, 'transport_lost'),
    onFault: (error) => this.#onFault(error),
  };
  readonly #onFault: (error: unknown) => void;
  #closing: Promise<void> | undefined;

  /**
   * @param onFault hears of a session that a packet ended, by a fault of ours. Must not throw
   * @throws {Error} when the port cannot be had, saying why
   */
  static async open(options: SfuOptions, onFault: (error: unknown) => void): Promise<Sfu> {
    const { bindAddress, tcpPort, announcedIps = [] } = options;
    const udpPort = await availableUdpPort(bindAddress, options.udpPort);
    const door = tcpPort === undefined ? undefined : await IceTcpListener.open({ bindAddress, tcpPort, udpPort });
    return new Sfu({ bindAddress, udpPort, tcpPort: door?.port }, door, announcedIps, onFault);
  }

  private constructor(
    ports: MediaPorts,
    door: IceTcpListener | undefined,
    announcedIps: readonly string[],
    onFault: (error: unknown) => void,
  ) {
    super();
    this.#onFault = onFault;
    this.#ports = ports;
    this.#door = door;
    this.#announcedIps = announcedIps;
    this.#portHolder = new IceUdpMuxListener(ports.udpPort, ports.bindAddress);
  }

  get udpPort(): number {
    return this.#ports.udpPort;
  }

  /** Undefined: nobody comes by TCP. */
  get tcpPort(): number | undefined {
    return this.#ports.tcpPort;
  }

  /** What there is now. */
  get counts(): { readonly streams: number; readonly sessions: number } {
    return { streams: this.#streams.size, sessions: this.#sessions.size };
  }

  async publish(name: string, sdp: string, { codec, sourceId = null }: PublishOptions = {}): Promise<MediaSession> {
    this.#mustBeOpen();
    const offer = readOffer(sdp);
    const { tracks, media } = negotiatePublisher(offer, codec);
    const stream = this.#stream(name);
    // Taken before the first await, so that of two who come together one is refused.
    if (stream.hub.has(sourceId)) throw new MediaError('stream_in_use', 'the source has a publisher already');
    const session = this.#session(stream, media);
    const link = new PublisherTransport(sourceId, tracks, session, stream.hub.sourceEvents);
    stream.hub.addSource(link);
    const answer = await this.#begin(session, offer, {
      onOpen: () => {},
      onPacket: (packet, handover) => {
        link.receive(packet, handover);
        this.#ticker.runSoonIf(stream.hub.needsTickSoon);
      },
      onClosed: () => {
        stream.hub.removeSource(link, performance.now());
        this.#leave(stream, session);
      },
    });
    return this.#handle(session, answer);
  }

  async view(name: string, sdp: string, options: ViewOptions = {}): Promise<ViewingSession> {
    this.#mustBeOpen();
    const offer = readOffer(sdp);
    const stream = this.#stream(name);
    const { hub } = stream;
    // Reports on each packet cost as much as many packets do: they are asked for where something is chosen by them.
    const feedback = hub.mayHaveLayers(performance.now()) ? 'transport-cc' : 'goog-remb';
    const { lines, media } = negotiateSubscriber(offer, describeSentTracks(), feedback);
    if (this.#load.lag > TOO_LATE_MS) {
      throw new MediaError('engine_unavailable', 'the media engine carries all it can: try again later');
    }
    const session = this.#session(stream, media);
    const viewer = new Subscriber(session, subscriberParameters(lines, options), options, (reachable) =>
      this.emit('reachable', session.id, reachable),
    );
    hub.prepareSubscriber(viewer, performance.now());
    const answer = await this.#begin(session, offer, {
      onOpen: (now) => {
        hub.addSubscriber(viewer, now);
        this.#ticker.runSoonIf(hub.needsTickSoon);
      },
      onPacket: (packet, { now }) => {
        hub.onSubscriberPacket(viewer, packet, now);
        this.#ticker.runSoonIf(hub.needsTickSoon);
      },
      onClosed: () => {
        hub.removeSubscriber(viewer);
        this.#leave(stream, session);
      },
    });
    const act = async (action: (now: number) => void) => {
      if (!this.#sessions.has(session)) throw new MediaError('engine_unavailable', 'the session is over');
      action(performance.now());
      this.#ticker.runSoonIf(hub.needsTickSoon);
    };
    return {
      ...this.#handle(session, answer),
      mids: mainMids(lines),
      select: (layer) => act((now) => hub.select(viewer, layer, now)),
      project: (sourceId, projections) => act((now) => hub.project(viewer, sourceId, projections, now)),
      unproject: (mediaIds) => act((now) => hub.unproject(viewer, mediaIds, now)),
    };
  }

  async stats(name: string): Promise<StreamStats> {
    this.#mustBeOpen();
    return this.#stream(name).hub.stats();
  }

  /** For whoever has no session, but brings the stream's media from another process or to one. */
  acquireRouter(name: string): RouterHandle {
    const stream = this.#stream(name);
    this.#keep(stream);
    return { hub: stream.hub, release: () => this.#letGo(stream) };
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#ticker.stop();
    await Promise.all([...this.#sessions].map((session) => session.close()));
    await this.#door?.close();
    this.#portHolder.stop();
  }

  #mustBeOpen(): void {
    if (this.#closing) throw new MediaError('engine_unavailable', 'the media engine is closed');
  }

  /** It is kept from the first session on; until then it is only the shape of one. */
  #stream(name: string): Stream {
    return (
      this.#streams.get(name) ?? {
        name,
        hub: new Router({
          onLive: (source, kinds) => this.emit('live', name, source, kinds),
          onUpdated: (source, kinds) => this.emit('updated', name, source, kinds),
          onEnded: (source) => this.emit('ended', name, source),
          onLayers: (source, layers) => this.emit('layers', name, source, layers),
        }),
        holders: 0,
      }
    );
  }

  #session(stream: Stream, media: readonly AnsweredMedia[]): PeerSession {
    const session = new PeerSession(this.#world, media);
    this.#keep(stream);
    this.#sessions.add(session);
    return session;
  }

  #leave(stream: Stream, session: PeerSession): void {
    this.#sessions.delete(session);
    this.#letGo(stream);
  }

  #keep(stream: Stream): void {
    this.#streams.set(stream.name, stream);
    stream.holders++;
    if (this.#ticker.running) return;
    this.#load.start(performance.now());
    this.#ticker.start();
  }

  #letGo(stream: Stream): void {
    if (--stream.holders > 0) return;
    this.#streams.delete(stream.name);
    if (this.#streams.size === 0) this.#ticker.stop();
  }

  /** @returns the SDP answer */
  async #begin(session: PeerSession, offer: Offer, role: PeerSessionHandler): Promise<string> {
    try {
      const answer = await session.start(offer, role);
      this.#mustBeOpen();
      return answer;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  #handle(session: PeerSession, answer: string): MediaSession {
    return {
      id: session.id,
      answer,
      renew: async (sdp) => session.renew(readOffer(sdp)),
      close: () => void session.close(),
    };
  }

  /** Answers whether it is to come again soon. */
  #tick(now: number): boolean {
    this.#load.addSample(now - this.#clock.notBefore, now);
    let urgent = false;
    for (const { hub } of this.#streams.values()) {
      hub.tick(now);
      urgent ||= hub.needsTickSoon;
    }
    return urgent;
  }
}

function mainMids(lines: readonly SentMedia[]): ViewingSession['mids'] {
  const midOf = (wanted: TrackKind) => lines.find(({ kind }) => kind === wanted)?.mid;
  const [audio, video] = [midOf('audio'), midOf('video')];
  return { ...(audio === undefined ? {} : { audio }), ...(video === undefined ? {} : { video }) };
}
