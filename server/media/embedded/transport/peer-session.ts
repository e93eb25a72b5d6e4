import { randomInt, randomUUID } from 'node:crypto';
import { MediaError } from '../../media-engine.js';
import type { ArrivalWindow } from '../bandwidth/transport-feedback-generator.js';
import { writeAnswer, type AnsweredMedia, type LocalTransportParameters } from '../sdp/answer.js';
import { mustHaveSameMedia } from '../sdp/negotiation.js';
import type { Offer } from '../sdp/offer.js';
import type { PacketSink, TransportListener } from './webrtc-transport.js';

/**
 * For a peer whose new transport takes longer than this: where it called at the old one from its new address,
 * libdatachannel takes all that comes from there for the old one's, until that is gone.
 */
const OLD_ONE_KEPT_MS = 1_500;

/** What a session is there for: a publisher's or a viewer's part in a stream. */
export interface PeerSessionHandler {
  /** The peer can be sent to: for the first time, or by a new transport. */
  onOpen(now: number): void;
  /** RTP or RTCP of the peer's. */
  onPacket(packet: Buffer, handover: ArrivalWindow): void;
  onClosed(): void;
}

/** What a session needs of a transport. */
export interface PeerSessionTransport extends PacketSink {
  readonly local: LocalTransportParameters;
  /** Done when nothing of it is left. May be called again. */
  close(): Promise<void>;
}

export interface PeerSessionHost {
  /** A packet of a peer's is about to be handed over. */
  arrivalWindow(): ArrivalWindow;
  connect(offer: Offer, listener: TransportListener): Promise<PeerSessionTransport>;
  /** The candidates that an answer names for a transport. */
  candidates(transport: PeerSessionTransport): readonly string[];
  /** The peer is gone. Said once, and never after `close()`. */
  onLost(session: PeerSession): void;
  /** A packet of a peer's could not be dealt with, and its session is lost. What is thrown there must not end the process. */
  onFault(error: unknown): void;
}

/**
 * One peer connection as the engine has it: the same media for all its life, over one transport after another. A new
 * transport takes over when the peer is there, and until then the old one goes on.
 */
export class PeerSession implements PacketSink {
  readonly id = randomUUID();
  readonly #world: PeerSessionHost;
  readonly #media: readonly AnsweredMedia[];
  readonly #sdpId = String(randomInt(2 ** 47));
  #sdpVersion = 0;
  #role: PeerSessionHandler | undefined;
  #transport: PeerSessionTransport | undefined;
  /** On its way to take over. */
  #renewed: PeerSessionTransport | undefined;
  #oldTimer: NodeJS.Timeout | undefined;
  #over = false;

  constructor(world: PeerSessionHost, media: readonly AnsweredMedia[]) {
    this.#world = world;
    this.#media = media;
  }

  send(packet: Buffer): boolean {
    return this.#transport?.send(packet) ?? false;
  }

  /** @returns the SDP answer. @throws {MediaError} as `Transport.open` */
  async start(offer: Offer, role: PeerSessionHandler): Promise<string> {
    this.#role = role;
    this.#transport = await this.#connect(offer);
    return this.#answer(this.#transport);
  }

  /** @returns the SDP answer. @throws {MediaError} `invalid_sdp`, `engine_unavailable` */
  async renew(offer: Offer): Promise<string> {
    mustHaveSameMedia(this.#media, offer);
    const transport = await this.#connect(offer);
    // Who asks twice is answered twice, and comes by the last.
    void this.#renewed?.close();
    this.#renewed = transport;
    clearTimeout(this.#oldTimer);
    this.#oldTimer = setTimeout(() => this.#letGoOfOld(), OLD_ONE_KEPT_MS);
    return this.#answer(transport);
  }

  /** Done when nothing of it is left. */
  async close(): Promise<void> {
    if (!this.#over) {
      this.#over = true;
      clearTimeout(this.#oldTimer);
      this.#role?.onClosed();
    }
    await Promise.all([this.#transport?.close(), this.#renewed?.close()]);
  }

  async #connect(offer: Offer): Promise<PeerSessionTransport> {
    const transport: PeerSessionTransport = await this.#world.connect(offer, {
      onOpen: () => this.#open(transport),
      onPacket: (packet) => this.#receive(packet),
      onLost: () => this.#lose(transport),
    });
    if (!this.#over) return transport;
    await transport.close();
    throw new MediaError('engine_unavailable', 'the session is over');
  }

  #open(transport: PeerSessionTransport): void {
    if (transport === this.#renewed) {
      clearTimeout(this.#oldTimer);
      this.#letGoOfOld();
      this.#transport = transport;
      this.#renewed = undefined;
    }
    this.#role?.onOpen(performance.now());
  }

  #receive(packet: Buffer): void {
    const handover = this.#world.arrivalWindow();
    try {
      this.#role?.onPacket(packet, handover);
    } catch (error) {
      this.#world.onFault(error);
      this.#end();
    }
  }

  #letGoOfOld(): void {
    void this.#transport?.close();
    this.#transport = undefined;
  }

  #lose(transport: PeerSessionTransport): void {
    if (transport === this.#renewed) this.#renewed = undefined;
    if (transport === this.#transport) this.#transport = undefined;
    if (!this.#transport && !this.#renewed) this.#end();
  }

  #end(): void {
    if (this.#over) return;
    void this.close();
    this.#world.onLost(this);
  }

  #answer(transport: PeerSessionTransport): string {
    const candidates = this.#world.candidates(transport);
    return writeAnswer(this.#sdpId, this.#media, { ...transport.local, candidates }, ++this.#sdpVersion);
  }
}
