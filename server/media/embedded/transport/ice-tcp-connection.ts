import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import type { Socket } from 'node:net';
import { tcpFrame, TcpFrameReader } from './tcp-framing.js';

export interface IceTcpConnectionLimits {
  /** Within this time a connection's first packet must be there, and the engine's first answer after it. */
  readonly answerTimeoutMs: number;
  /** So long a peer may be silent: those who are connected ask for consent far more often (RFC 7675). */
  readonly idleTimeoutMs: number;
  /** More than this does not wait for a slow peer: it is lost, as it would be on his network. */
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

/** Larger than any packet of WebRTC, whose networks carry 1,500 bytes at most. */
const LARGEST_PACKET = 2_048;
/** Until the way to the engine is open, which takes a turn of the event loop. */
const MOST_EARLY = 16;

/**
 * One TCP connection of a peer, and the way from it to the engine's UDP port: a socket of its own, so that the engine
 * sees a peer like any other. It is cut when the engine does not answer: that does so for those alone whose STUN
 * request has the credentials of a session.
 */
export class IceTcpConnection {
  readonly #tcp: Socket;
  readonly #limits: IceTcpConnectionLimits;
  readonly #engine: EngineUdpAddress;
  readonly #packets = new TcpFrameReader(LARGEST_PACKET);
  readonly #patience: NodeJS.Timeout;
  #udp: DatagramSocket | undefined;
  /** What came before the way to the engine was open; undefined: it is. */
  #early: Buffer[] | undefined = [];
  #isCorked = false;

  constructor(tcp: Socket, engine: EngineUdpAddress, limits: IceTcpConnectionLimits) {
    this.#tcp = tcp;
    this.#engine = engine;
    this.#limits = limits;
    this.#patience = setTimeout(() => tcp.destroy(), limits.answerTimeoutMs);
    tcp.setNoDelay(true);
    tcp.setTimeout(limits.idleTimeoutMs, () => tcp.destroy());
    tcp.on('data', (chunk) => this.#receive(chunk));
    // Followed by `close`, which says all.
    tcp.on('error', () => {});
    tcp.on('close', () => {
      clearTimeout(this.#patience);
      this.#udp?.close();
      this.#udp = undefined;
    });
  }

  close(): void {
    this.#tcp.destroy();
  }

  #receive(chunk: Buffer): void {
    let packets: readonly Buffer[];
    try {
      packets = this.#packets.read(chunk);
    } catch {
      this.#tcp.destroy();
      return;
    }
    for (const packet of packets) {
      if (!this.#udp) {
        if (!isStunRequest(packet)) return void this.#tcp.destroy();
        this.#udp = this.#open();
      }
      if (!this.#early) this.#udp.send(packet);
      else if (this.#early.length < MOST_EARLY) this.#early.push(packet);
    }
  }

  #open(): DatagramSocket {
    const { address, port } = this.#engine;
    const udp = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    udp.on('connect', () => {
      for (const packet of this.#early ?? []) udp.send(packet);
      this.#early = undefined;
    });
    udp.on('message', (packet) => this.#send(packet));
    udp.on('error', () => this.#tcp.destroy());
    udp.connect(port, address);
    return udp;
  }

  #send(packet: Buffer): void {
    clearTimeout(this.#patience);
    const tcp = this.#tcp;
    if (tcp.writableLength > this.#limits.maxBufferedBytes || !tcp.writable) return;
    // A frame of video is many packets: they go out together.
    if (!this.#isCorked) {
      this.#isCorked = true;
      tcp.cork();
      setImmediate(() => {
        this.#isCorked = false;
        tcp.uncork();
      });
    }
    tcp.write(tcpFrame(packet));
  }
}

const STUN_HEADER_BYTES = 20;
const STUN_COOKIE = 0x2112_a442;
const BINDING_REQUEST = 0x0001;

/** RFC 8489: what every ICE connection begins with. */
function isStunRequest(packet: Buffer): boolean {
  return (
    packet.length >= STUN_HEADER_BYTES &&
    packet.readUInt16BE(0) === BINDING_REQUEST &&
    packet.readUInt16BE(2) === packet.length - STUN_HEADER_BYTES &&
    packet.readUInt32BE(4) === STUN_COOKIE
  );
}
