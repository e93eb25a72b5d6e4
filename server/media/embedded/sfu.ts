import { randomInt, randomUUID } from 'node:crypto';
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
} from '../media-engine.js';
import { answerCandidates } from './candidates.js';
import { LoadGauge } from './load-gauge.js';
import { writeAnswer, type AnsweredMedia } from './sdp/answer.js';
import type { Format } from './sdp/codecs.js';
import { negotiatePublisher, negotiateViewer, type PublishedTrack } from './sdp/negotiation.js';
import { readOffer, type Offer } from './sdp/offer.js';
import type { PacketSink } from './forwarded-track.js';
import { StreamHub, type HubViewer } from './stream-hub.js';
import { Transport, type SharedSocket } from './transport.js';
import { freeUdpPort } from './udp-port.js';

export interface SfuOptions {
  /** Absent: all interfaces. */
  readonly bindAddress?: string | undefined;
  /** 0: any free port. */
  readonly udpPort: number;
  /** What answers name instead of the machine's own addresses. */
  readonly announcedIps?: readonly string[] | undefined;
}

interface Stream {
  readonly name: string;
  readonly hub: StreamHub;
  /** Somebody publishes, or is about to. */
  taken: boolean;
  /** Sessions that keep it in being. */
  sessions: number;
}

/** What a session does to its stream. */
interface Role {
  /** There is a way to the peer; nobody is at the other end yet. */
  begin(sink: PacketSink): void;
  open(): void;
  packet(packet: Buffer, now: number): void;
  end(): void;
}

interface Session {
  readonly id: string;
  readonly stream: Stream;
  readonly role: Role;
  readonly media: readonly AnsweredMedia[];
  readonly sdpId: string;
  sdpVersion: number;
  transport: Transport;
}

const TICK_MS = 20;
const SAMPLE_MS = 1_000;
/** Past this delay everybody's picture suffers: new viewers are better off elsewhere. */
const TOO_LATE_MS = 150;

/** The embedded engine itself, in the process that it runs in. One to a process and UDP port. */
export class Sfu extends EventEmitter<MediaEngineEvents> implements MediaEngine {
  readonly #socket: SharedSocket;
  readonly #announcedIps: readonly string[];
  /** Holds the port also while nobody is connected. */
  readonly #portHolder: IceUdpMuxListener;
  readonly #streams = new Map<string, Stream>();
  readonly #sessions = new Map<string, Session>();
  readonly #load = new LoadGauge();
  readonly #timers: readonly NodeJS.Timeout[];
  #closing: Promise<void> | undefined;

  /** @throws {Error} when the port cannot be had, saying why */
  static async open(options: SfuOptions): Promise<Sfu> {
    const udpPort = await freeUdpPort(options.bindAddress, options.udpPort);
    return new Sfu({ bindAddress: options.bindAddress, udpPort }, options.announcedIps ?? []);
  }

  private constructor(socket: SharedSocket, announcedIps: readonly string[]) {
    super();
    this.#socket = socket;
    this.#announcedIps = announcedIps;
    this.#portHolder = new IceUdpMuxListener(socket.udpPort, socket.bindAddress);
    this.#timers = [setInterval(() => this.#tick(), TICK_MS), setInterval(() => this.#load.sample(), SAMPLE_MS)];
  }

  get udpPort(): number {
    return this.#socket.udpPort;
  }

  async publish(name: string, sdp: string, options: PublishOptions = {}): Promise<MediaSession> {
    const offer = readOffer(sdp);
    const { tracks, media } = negotiatePublisher(offer, options.codec);
    const stream = this.#stream(name);
    // Taken before the first await, so that of two who come together one is refused.
    if (stream.taken) throw new MediaError('stream_in_use', 'the stream has a publisher already');
    stream.taken = true;
    return this.#handle(await this.#connect(stream, publisherRole(stream, tracks), offer, media));
  }

  async view(name: string, sdp: string, _options: ViewOptions = {}): Promise<ViewingSession> {
    const offer = readOffer(sdp);
    const stream = this.#stream(name);
    const { formats, media } = negotiateViewer(offer, (kind) => stream.hub.source(kind));
    if (this.#load.lag > TOO_LATE_MS) {
      throw new MediaError('engine_unavailable', 'the media engine carries all it can: try again later');
    }
    const session = await this.#connect(stream, viewerRole(stream, formats), offer, media);
    const mids = Object.fromEntries(
      media.flatMap(({ direction, offered }) => (direction === 'sendonly' ? [[offered.kind, offered.mid]] : [])),
    ) as ViewingSession['mids'];
    const known = (mid: string | undefined) => mid === undefined || Object.values(mids).includes(mid);
    return {
      ...this.#handle(session),
      mids,
      select: async () => {},
      project: async (sourceId, projections) => {
        if (sourceId !== null) throw new MediaError('unknown_source', 'the stream has no such source');
        if (!projections.every(({ mediaId }) => known(mediaId))) throw unknownMedia();
      },
      unproject: async (mediaIds) => {
        if (!mediaIds.every(known)) throw unknownMedia();
      },
    };
  }

  async stats(name: string): Promise<StreamStats> {
    this.#mustBeOpen();
    return this.#stream(name).hub.stats();
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#load.close();
    await Promise.all([...this.#sessions.values()].map((session) => this.#end(session)));
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
        hub: new StreamHub({
          onLive: (tracks) => this.emit('live', name, null, tracks),
          onEnded: () => this.emit('ended', name, null),
        }),
        taken: false,
        sessions: 0,
      }
    );
  }

  async #connect(stream: Stream, role: Role, offer: Offer, media: readonly AnsweredMedia[]): Promise<Session> {
    this.#mustBeOpen();
    const id = randomUUID();
    this.#streams.set(stream.name, stream);
    stream.sessions++;
    const transport = await this.#open(id, role, offer).catch((error: unknown) => {
      this.#leave(stream, role);
      throw error;
    });
    const session: Session = {
      id,
      stream,
      role,
      media,
      transport,
      sdpId: String(randomInt(2 ** 47)),
      sdpVersion: 0,
    };
    this.#sessions.set(id, session);
    role.begin({ send: (packet) => session.transport.send(packet) });
    if (this.#closing) {
      await this.#end(session);
      this.#mustBeOpen();
    }
    return session;
  }

  #open(id: string, role: Role, { ice }: Offer): Promise<Transport> {
    const transport = Transport.open(ice, this.#socket, {
      onOpen: () => role.open(),
      onPacket: (packet) => role.packet(packet, performance.now()),
      onLost: () => this.#lose(id),
    });
    return transport;
  }

  #handle(session: Session): MediaSession {
    return {
      id: session.id,
      answer: this.#answer(session),
      renew: (sdp) => this.#renew(session, readOffer(sdp)),
      close: () => void this.#end(session),
    };
  }

  #answer(session: Session): string {
    const { local } = session.transport;
    const candidates = answerCandidates(local.candidates, this.#announcedIps, this.#socket);
    return writeAnswer(session.sdpId, session.media, { ...local, candidates }, ++session.sdpVersion);
  }

  async #renew(session: Session, offer: Offer): Promise<string> {
    const shape = (offered: Offer['media']) => offered.map(({ type, mid }) => `${type} ${mid}`).join();
    if (shape(offer.media) !== shape(session.media.map(({ offered }) => offered))) {
      throw new MediaError('invalid_sdp', 'the SDP offer cannot be used: its m-lines are not those of the session');
    }
    const transport = await this.#open(session.id, session.role, offer);
    if (!this.#sessions.has(session.id)) {
      await transport.close();
      throw new MediaError('engine_unavailable', 'the session is over');
    }
    const old = session.transport;
    session.transport = transport;
    void old.close();
    return this.#answer(session);
  }

  #lose(id: string): void {
    const session = this.#sessions.get(id);
    if (!session) return;
    void this.#end(session);
    this.emit('session-lost', id, 'transport_lost');
  }

  /** Done when nothing of it is left. */
  #end(session: Session): Promise<void> {
    if (this.#sessions.delete(session.id)) this.#leave(session.stream, session.role);
    return session.transport.close();
  }

  #leave(stream: Stream, role: Role): void {
    role.end();
    if (--stream.sessions === 0) this.#streams.delete(stream.name);
  }

  #tick(): void {
    const now = performance.now();
    for (const { hub } of this.#streams.values()) hub.tick(now);
  }
}

const unknownMedia = (): MediaError =>
  new MediaError('unknown_media', 'the session has no such m-line that is sent to');

function publisherRole(stream: Stream, tracks: readonly PublishedTrack[]): Role {
  return {
    begin: (sink) => stream.hub.setPublisher(sink, tracks),
    open: () => {},
    packet: (packet, now) => stream.hub.fromPublisher(packet, now),
    end: () => {
      stream.taken = false;
      stream.hub.clearPublisher();
    },
  };
}

function viewerRole({ hub }: Stream, formats: Readonly<Record<TrackKind, readonly Format[]>>): Role {
  let sink: PacketSink | undefined;
  let viewer: HubViewer | undefined;
  return {
    begin: (given) => {
      sink = given;
    },
    open: () => {
      if (sink) viewer ??= hub.addViewer(sink, formats, performance.now());
    },
    packet: (packet, now) => {
      if (viewer) hub.fromViewer(viewer, packet, now);
    },
    end: () => {
      if (viewer) hub.removeViewer(viewer);
    },
  };
}
