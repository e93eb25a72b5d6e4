import type { SenderReport } from '../rtcp/rtcp.js';
import { OutgoingPacket } from '../rtp/outgoing-packet.js';
import { FramePacer, type PacedSink, type PacingState } from './frame-pacer.js';
import { emptyMediaPacket, type MediaPacket } from './media-packet.js';
import { PacketBatch } from './packet-batch.js';
import type { PacketReader } from './packet-reader.js';

/** Receives packets. */
export interface FanOutSink extends PacedSink {
  /**
   * Sends a packet, which `media.outgoing` has loaded.
   * @returns whether it was sent
   */
  forward(media: MediaPacket, now: number): boolean;
  sendSenderReport(report: SenderReport, now: number): void;
}

/**
 * Sends the packets of one encoding to all sinks: those of a turn of the event loop sink by sink, and large frames bit by
 * bit.
 *
 *     const media = reader.readArriving(packet, sequence, now, fanOut.next());
 *     fanOut.send(media, isKeyframe ? bitrate : undefined, now);
 *     state = fanOut.pace(now);                            // at the end of the turn, and as `state` says
 */
export class PacketFanOut<Sink extends FanOutSink> {
  /** How many packets were sent to sinks. */
  packetsOut = 0;
  readonly #reader: PacketReader;
  readonly #media = emptyMediaPacket(new OutgoingPacket());
  /** Sinks that receive every packet at once. The array is replaced, never changed: `#forward` iterates over it. */
  #sinks: readonly Sink[] = [];
  /** Sinks that receive a large frame bit by bit. Undefined: no frame is paced. */
  readonly #pacer: FramePacer<Sink> | undefined;
  /** Packets that arrived in this turn. Undefined: each is sent at once. */
  readonly #batch: PacketBatch | undefined;
  readonly #onHeld: () => void;

  /** @param onHeld packets are held: call `pace`. Undefined: no packet is held */
  constructor(reader: PacketReader, onHeld: (() => void) | undefined) {
    this.#reader = reader;
    this.#onHeld = onHeld ?? (() => {});
    if (!onHeld) return;
    this.#pacer = new FramePacer();
    this.#batch = new PacketBatch();
  }

  /** All sinks: those that receive a large frame, too. */
  get sinks(): readonly Sink[] {
    return this.#pacer?.isActive ? [...this.#sinks, ...this.#pacer.sinks] : this.#sinks;
  }

  /** What arrived until now is not sent to them. */
  add(sinks: readonly Sink[]): void {
    if (sinks.length) this.#sinks = [...this.#sinks, ...sinks];
  }

  /** What arrived until now is sent to the sink. */
  remove(sink: Sink): void {
    this.flush();
    this.#pacer?.remove(sink);
    if (this.#sinks.includes(sink)) this.#sinks = this.#sinks.filter((other) => other !== sink);
  }

  /** An object to read the next packet into. */
  next(): MediaPacket {
    return this.#batch?.next() ?? this.#media;
  }

  /** @param keyframeBitrate of the encoding, if the packet is of a keyframe */
  send(media: MediaPacket, keyframeBitrate: number | undefined, now: number): void {
    const pacer = this.#pacer;
    if (pacer && (keyframeBitrate !== undefined || pacer.isActive)) {
      this.#holdIfLarge(media, pacer, keyframeBitrate, now);
    }
    if (this.#batch) {
      if (this.#batch.add(media, this.#sinks.length, now)) this.flush();
      else this.#onHeld();
      return;
    }
    media.outgoing.load(media.packet);
    this.#forward([media], [now]);
  }

  /** Sends a packet to one sink. */
  sendTo(sink: Sink, media: MediaPacket, now: number): void {
    media.outgoing.load(media.packet);
    if (sink.forward(media, now)) this.packetsOut++;
  }

  sendSenderReport(report: SenderReport, now: number): void {
    for (const sink of this.sinks) sink.sendSenderReport(report, now);
  }

  /** Sends what arrived in this turn. Call before anything that sends other packets, or changes who receives them. */
  flush(): void {
    this.#batch?.flush((packets, times) => this.#forward(packets, times));
  }

  /** Sends what arrived in this turn, and what is due of a large frame. */
  pace(now: number): PacingState {
    this.flush();
    const pacer = this.#pacer;
    if (!pacer?.isActive) return 'idle';
    const caughtUp = pacer.advance(now, ({ packet, sequence, isShed, spatialId, temporalId }, sinks) => {
      const media = this.#reader.read(packet, sequence, this.#media);
      media.isShed = isShed;
      media.payload.spatialId = spatialId;
      media.payload.temporalId = temporalId;
      media.outgoing.load(packet);
      for (const sink of sinks) if (pacer.has(sink) && sink.forward(media, now)) this.packetsOut++;
    });
    this.add(caughtUp);
    return pacer.state;
  }

  /** Sends loaded packets to all sinks. @param times when they arrived */
  #forward(packets: readonly MediaPacket[], times: readonly number[]): void {
    let sent = 0;
    const sinks = this.#sinks;
    for (let index = 0; index < sinks.length; index++) {
      const sink = sinks[index]!;
      for (let next = 0; next < packets.length; next++) {
        if (sink.forward(packets[next]!, times[next]!)) sent++;
        // It may have what it needs, and leave by itself.
        if (this.#sinks !== sinks && !this.#sinks.includes(sink)) break;
      }
    }
    this.packetsOut += sent;
  }

  /** Holds the packet for the sinks that must not receive a large frame at once. */
  #holdIfLarge(
    { packet, sequence, isShed, payload }: MediaPacket,
    pacer: FramePacer<Sink>,
    keyframeBitrate: number | undefined,
    now: number,
  ): void {
    const isBurst =
      keyframeBitrate !== undefined && pacer.isBurst(packet.length, keyframeBitrate, this.#sinks.length, now);
    if (!pacer.isActive) {
      if (!isBurst) return;
      const paced = this.#sinks.filter(({ networkBitrate }) => networkBitrate !== undefined);
      if (!paced.length) return;
      this.flush();
      this.#sinks = this.#sinks.filter(({ networkBitrate }) => networkBitrate === undefined);
      pacer.start(paced, now);
      this.#onHeld();
    }
    const { spatialId, temporalId } = payload;
    pacer.add({ packet, sequence, isShed, spatialId, temporalId }, now);
  }
}
