import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import type { Socket } from 'node:net';
import { contain } from '../../../faults/contain.js';
import { readIceCheck } from './ice-check.js';
import { tcpFrame, TcpFrameReader, type PacketSizes } from './tcp-framing.js';

export interface IceTcpConnectionLimits {
  /** The peer's first packet and the engine's first answer must arrive within this time. */
  readonly answerTimeoutMs: number;
  /** Connected peers send consent checks far more often than this (RFC 7675). */
  readonly idleTimeoutMs: number;
  /** If more than this is buffered for a slow peer, further packets are dropped, as a slow network would. */
  readonly maxBufferedBytes: number;
}

export const ICE_TCP_CONNECTION_LIMITS: IceTcpConnectionLimits = {
  answerTimeoutMs: 10_000,
  idleTimeoutMs: 30_000,
  maxBufferedBytes: 1 << 18,
};

export interface EngineUdpAddress {
  readonly address: string;
  readonly port: number;
}

/**
 * The shortest packets are DTLS records of one byte, and networks carry 1,500 bytes at most. Each packet is sent to the
 * UDP port by a call of its own, which costs as much for one byte as for a thousand.
 */
export const PACKET_SIZES: PacketSizes = { least: 14, most: 2_048 };
/** Browsers send a check every 50 ms to half a second. */
const MAX_UNANSWERED_CHECKS = 64;
/** Packets that wait until the UDP socket is open, one turn of the event loop later. */
const MAX_WAITING_PACKETS = 16;

/**
 * One TCP connection of a peer. Its packets go to the engine's UDP port from a UDP socket of their own, so that the
 * engine sees an ordinary peer. The connection is closed if the engine does not answer: it answers only STUN requests
 * with the credentials of a session.
 */
export class IceTcpConnection {
  readonly #tcp: Socket;
  readonly #limits: IceTcpConnectionLimits;
  readonly #engine: EngineUdpAddress;
  readonly #frames = new TcpFrameReader(PACKET_SIZES);
  readonly #answerTimer: NodeJS.Timeout;
  readonly #onAnswered: (session: string) => void;
  #udp: DatagramSocket | undefined;
  /** Packets that wait for the UDP socket; undefined: it is open. */
  #waiting: Buffer[] | undefined = [];
  /** What the peer sent before the engine answered. Undefined: it has answered. */
  #unanswered: { checks: number; session: string | undefined } | undefined = { checks: 0, session: undefined };
  #isCorked = false;

  /** @param onAnswered called once, with the first answer of the engine: for which session, by its ufrag */
  constructor(
    tcp: Socket,
    engine: EngineUdpAddress,
    limits: IceTcpConnectionLimits,
    onAnswered: (session: string) => void,
  ) {
    this.#tcp = tcp;
    this.#onAnswered = onAnswered;
    this.#engine = engine;
    this.#limits = limits;
    this.#answerTimer = setTimeout(() => tcp.destroy(), limits.answerTimeoutMs);
    tcp.setNoDelay(true);
    tcp.setTimeout(limits.idleTimeoutMs, () => tcp.destroy());
    tcp.on(
      'data',
      contain('media', (chunk) => this.#receive(chunk), { onFault: () => tcp.destroy() }),
    );
    // `close` follows and does the cleanup.
    tcp.on('error', () => {});
    tcp.on(
      'close',
      contain('media', () => {
        clearTimeout(this.#answerTimer);
        this.#udp?.close();
        this.#udp = undefined;
      }),
    );
  }

  close(): void {
    this.#tcp.destroy();
  }

  #receive(chunk: Buffer): void {
    let packets: readonly Buffer[];
    try {
      packets = this.#frames.read(chunk);
    } catch {
      this.#tcp.destroy();
      return;
    }
    for (const packet of packets) {
      // A peer whose credentials are not known can send nothing else.
      if (this.#unanswered && !this.#mayCheck(this.#unanswered, packet)) return void this.#tcp.destroy();
      this.#udp ??= this.#open();
      if (!this.#waiting) this.#udp.send(packet);
      else if (this.#waiting.length < MAX_WAITING_PACKETS) this.#waiting.push(packet);
    }
  }

  /** Whether it is a check, of the same session as those before: else nobody could tell which one is answered. */
  #mayCheck(unanswered: { checks: number; session: string | undefined }, packet: Buffer): boolean {
    const session = readIceCheck(packet);
    if (session === undefined) return false;
    unanswered.session ??= session;
    return session === unanswered.session && ++unanswered.checks <= MAX_UNANSWERED_CHECKS;
  }

  #open(): DatagramSocket {
    const { address, port } = this.#engine;
    const udp = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    udp.on(
      'connect',
      contain('media', () => {
        for (const packet of this.#waiting ?? []) udp.send(packet);
        this.#waiting = undefined;
      }),
    );
    udp.on(
      'message',
      contain('media', (packet) => this.#send(packet), { onFault: () => this.#tcp.destroy() }),
    );
    udp.on('error', () => this.#tcp.destroy());
    udp.connect(port, address);
    return udp;
  }

  #send(packet: Buffer): void {
    if (this.#unanswered) {
      const { session = '' } = this.#unanswered;
      this.#unanswered = undefined;
      clearTimeout(this.#answerTimer);
      this.#onAnswered(session);
    }
    const tcp = this.#tcp;
    if (tcp.writableLength > this.#limits.maxBufferedBytes || !tcp.writable) return;
    // The packets of one video frame are written together.
    if (!this.#isCorked) {
      this.#isCorked = true;
      tcp.cork();
      setImmediate(
        contain('media', () => {
          this.#isCorked = false;
          tcp.uncork();
        }),
      );
    }
    tcp.write(tcpFrame(packet));
  }
}
