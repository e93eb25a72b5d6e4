import { randomInt, randomUUID } from 'node:crypto';
import { attempt } from '../../../faults/contain.js';
import { after } from '../../../faults/timers.js';
import { MediaError } from '../../engine/media-error.js';
import type { ArrivalWindow } from '../bandwidth/transport-feedback-generator.js';
import { writeAnswer, type AnsweredMedia, type LocalTransportParameters } from '../../sdp/answer.js';
import { mustHaveSameMedia } from '../../sdp/negotiation.js';
import type { Offer } from '../../sdp/offer.js';
import type { PacketSink, TransportListener } from './webrtc-transport.js';

/**
 * Closes the old transport if the new one takes longer than this. If the peer already sent to the old transport from
 * its new address, libdatachannel assigns all packets from that address to the old transport until it is closed.
 */
const OLD_TRANSPORT_KEPT_MS = 1_500;

/** A publisher's or a viewer's part in a stream. */
export interface PeerSessionHandler {
  /** A transport opened: the first one, or a new one after a renewal. */
  onOpen(now: number): void;
  /** RTP or RTCP from the peer. */
  onPacket(packet: Buffer, arrival: ArrivalWindow): void;
  onClosed(): void;
}

/** What a session needs of a transport. */
export interface PeerSessionTransport extends PacketSink {
  readonly local: LocalTransportParameters;
  /** Resolves when all of it is released. May be called again. */
  close(): Promise<void>;
}

/** What a session needs of the engine. */
export interface PeerSessionHost {
  /** When the packet that is being handed over arrived. */
  arrivalWindow(): ArrivalWindow;
  connect(offer: Offer, listener: TransportListener): Promise<PeerSessionTransport>;
  /** The ICE candidates for an answer. */
  candidates(transport: PeerSessionTransport): readonly string[];
  /** The peer is gone. Called once, and never after `close()`. */
  onLost(session: PeerSession): void;
  /** A packet caused an error in our code, and its session is lost. Must not throw. */
  onFault(error: unknown): void;
}

/**
 * One peer connection: the same media for its whole life, over one transport after another. A new transport takes
 * over when it is open; the old one is used until then.
 */
export class PeerSession implements PacketSink {
  readonly id = randomUUID();
  readonly #host: PeerSessionHost;
  readonly #media: readonly AnsweredMedia[];
  readonly #sdpId = String(randomInt(2 ** 47));
  #sdpVersion = 0;
  #handler: PeerSessionHandler | undefined;
  #transport: PeerSessionTransport | undefined;
  /** The new transport, until it is open. */
  #nextTransport: PeerSessionTransport | undefined;
  #oldTransportTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(host: PeerSessionHost, media: readonly AnsweredMedia[]) {
    this.#host = host;
    this.#media = media;
  }

  send(packet: Buffer): boolean {
    return this.#transport?.send(packet) ?? false;
  }

  /** @returns the SDP answer. @throws {MediaError} as `WebRtcTransport.open` */
  async start(offer: Offer, handler: PeerSessionHandler): Promise<string> {
    this.#handler = handler;
    this.#transport = await this.#connect(offer);
    return this.#answer(this.#transport);
  }

  /** @returns the SDP answer. @throws {MediaError} `invalid_sdp`, `engine_unavailable` */
  async renew(offer: Offer): Promise<string> {
    mustHaveSameMedia(this.#media, offer);
    const transport = await this.#connect(offer);
    // A second renewal replaces the first: the peer connects by the last answer.
    void this.#nextTransport?.close();
    this.#nextTransport = transport;
    clearTimeout(this.#oldTransportTimer);
    this.#oldTransportTimer = after('media', OLD_TRANSPORT_KEPT_MS, () => this.#closeOldTransport());
    return this.#answer(transport);
  }

  /** Resolves when all of it is released. */
  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      clearTimeout(this.#oldTransportTimer);
      this.#handler?.onClosed();
    }
    await Promise.all([this.#transport?.close(), this.#nextTransport?.close()]);
  }

  async #connect(offer: Offer): Promise<PeerSessionTransport> {
    const transport: PeerSessionTransport = await this.#host.connect(offer, {
      onOpen: () => this.#onOpen(transport),
      onPacket: (packet) => this.#receive(packet),
      onLost: () => this.#onTransportLost(transport),
    });
    if (!this.#closed) return transport;
    await transport.close();
    throw new MediaError('engine_unavailable', 'the session has ended');
  }

  #onOpen(transport: PeerSessionTransport): void {
    if (transport === this.#nextTransport) {
      clearTimeout(this.#oldTransportTimer);
      this.#closeOldTransport();
      this.#transport = transport;
      this.#nextTransport = undefined;
    }
    this.#handler?.onOpen(performance.now());
  }

  #receive(packet: Buffer): void {
    const arrival = this.#host.arrivalWindow();
    try {
      this.#handler?.onPacket(packet, arrival);
    } catch (error) {
      this.#host.onFault(error);
      this.#lose();
    }
  }

  #closeOldTransport(): void {
    void this.#transport?.close();
    this.#transport = undefined;
  }

  #onTransportLost(transport: PeerSessionTransport): void {
    if (transport === this.#nextTransport) this.#nextTransport = undefined;
    if (transport === this.#transport) this.#transport = undefined;
    if (!this.#transport && !this.#nextTransport) this.#lose();
  }

  #lose(): void {
    if (this.#closed) return;
    attempt('media', () => this.close());
    this.#host.onLost(this);
  }

  #answer(transport: PeerSessionTransport): string {
    const candidates = this.#host.candidates(transport);
    return writeAnswer(this.#sdpId, this.#media, { ...transport.local, candidates }, ++this.#sdpVersion);
  }
}
