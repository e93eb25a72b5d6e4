import { extensionLength, findExtension, ONE_BYTE, TWO_BYTE } from './header-extensions.js';
import { KEPT_IDS, type SenderIds } from './kept-extensions.js';

/** Twelve bits of 10 ms. With a low maximum, players would show each frame without any delay. */
const MAX_PLAYOUT_DELAY_MS = 40_950;
const EXTENSION_BIT = 0x10;
/** Of an extension in the one-byte form, and its highest id. */
const LONGEST_SHORT = 16;
const HIGHEST_SHORT_ID = 14;
/** A descriptor and a capture time, with their heads. */
const MOST_PASSED_BYTES = 2 * (255 + 2);

/** The extensions of one m-line, with the ids of the receiver's offer. Absent: not sent. */
export interface SentExtensions {
  readonly mid?: { readonly id: number; readonly value: string } | undefined;
  readonly streamId?: { readonly id: number; readonly value: string } | undefined;
  /**
   * How long the receiver delays playout, in ms (`http://www.webrtc.org/experiments/rtp-hdrext/playout-delay`).
   * Without limits the receiver decides, until `setPlayoutDelay` is called.
   */
  readonly playoutDelay?: { readonly id: number; readonly min?: number; readonly max?: number } | undefined;
  /** The id. `stamp` writes the value for each packet. */
  readonly transportSequence?: number | undefined;
  /**
   * The id of `http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time`. `stamp` writes the value for each packet.
   */
  readonly absoluteSendTime?: number | undefined;
  /** The ids of what `pass` copies from the packets of the source. */
  readonly passed?: SenderIds | undefined;
}

/**
 * The header extensions of one receiver's m-line. The block is built once; `stamp` writes five bytes for each packet,
 * and `OutgoingPacket` copies the block into the packet.
 */
export class ExtensionBlock {
  /** As long as the source's extensions are short, and if they are not. The same if none is passed. */
  readonly #short: Layout;
  readonly #long: Layout;
  readonly #passed: SenderIds | undefined;
  #active: Layout;
  /** Whether the last packet had extensions of its source. */
  #isPassing = false;

  /** @throws {RangeError} if an id or a value does not fit into a header extension */
  constructor(sent: SentExtensions) {
    const { dependencyDescriptor, captureTime } = sent.passed ?? {};
    this.#passed = dependencyDescriptor === undefined && captureTime === undefined ? undefined : sent.passed;
    const room = this.#passed ? MOST_PASSED_BYTES : 0;
    const values = valuesOf(sent);
    const passedIds = [dependencyDescriptor ?? 0, captureTime ?? 0];
    const isShort =
      values.every(({ id, value }) => id <= HIGHEST_SHORT_ID && value.length <= LONGEST_SHORT) &&
      passedIds.every((id) => id <= HIGHEST_SHORT_ID);
    this.#short = new Layout(sent, values, isShort, room);
    this.#long = isShort && room > 0 ? new Layout(sent, values, false, room) : this.#short;
    this.#active = this.#short;
  }

  /** With the header of four bytes, padded to whole words, up to `length`. */
  get bytes(): Buffer {
    return this.#active.bytes;
  }

  /** 0: there are no extensions. */
  get length(): number {
    return this.#active.length;
  }

  /** Whether no packet has an extension. */
  get isEmpty(): boolean {
    return this.length === 0 && !this.#passed;
  }

  /** Whether packets have a transport-wide sequence number, so that the receiver reports on each packet. */
  get hasTransportSequence(): boolean {
    return this.#active.sequenceAt >= 0;
  }

  /** Whether `pass` copies dependency descriptors. */
  get passesDescriptors(): boolean {
    return this.#passed?.dependencyDescriptor !== undefined;
  }

  /** Sets the range of the receiver's playout delay, in ms. */
  setPlayoutDelay(min: number, max = MAX_PLAYOUT_DELAY_MS): void {
    for (const { bytes, playoutDelayAt } of new Set([this.#short, this.#long])) {
      if (playoutDelayAt >= 0) playoutDelayValue(min, max).copy(bytes, playoutDelayAt);
    }
  }

  /**
   * Takes over the extensions that a packet of the source kept, for the next packet. Call it before `stamp`.
   * @param frameNumber of the dependency descriptor, instead of that of the source
   */
  pass(packet: Buffer, frameNumber: number): void {
    if (!this.#passed) return;
    if (!(packet[0]! & EXTENSION_BIT)) return this.passNothing();
    const { dependencyDescriptor, captureTime } = this.#passed;
    const descriptorAt = dependencyDescriptor === undefined ? -1 : findExtension(packet, KEPT_IDS.dependencyDescriptor);
    const timeAt = captureTime === undefined ? -1 : findExtension(packet, KEPT_IDS.captureTime);
    const descriptor = descriptorAt < 0 ? 0 : extensionLength(packet, descriptorAt);
    const time = timeAt < 0 ? 0 : extensionLength(packet, timeAt);
    const layout = descriptor <= LONGEST_SHORT && time <= LONGEST_SHORT ? this.#short : this.#long;
    this.#active = layout;
    this.#isPassing = true;
    layout.truncate();
    if (descriptor > 0) {
      const at = layout.append(dependencyDescriptor!, packet, descriptorAt, descriptor);
      layout.bytes[at + 1] = (frameNumber >>> 8) & 0xff;
      layout.bytes[at + 2] = frameNumber & 0xff;
    }
    if (time > 0) layout.append(captureTime!, packet, timeAt, time);
    layout.finish();
  }

  /** The next packet has no extensions of a source. */
  passNothing(): void {
    if (!this.#isPassing) return;
    this.#isPassing = false;
    this.#active = this.#short;
    this.#short.truncate();
    this.#short.finish();
  }

  /**
   * Writes the values of the next packet.
   * @param transportSequence counts the packets of all m-lines of the transport, modulo 65,536
   * @param now in ms
   */
  stamp(transportSequence: number, now: number): void {
    const { bytes, sequenceAt, sendTimeAt } = this.#active;
    if (sequenceAt >= 0) {
      bytes[sequenceAt] = (transportSequence >>> 8) & 0xff;
      bytes[sequenceAt + 1] = transportSequence & 0xff;
    }
    if (sendTimeAt >= 0) {
      // Seconds in 6.18 fixed point.
      const time = Math.floor((now % 64_000) * 262.144);
      bytes[sendTimeAt] = (time >>> 16) & 0xff;
      bytes[sendTimeAt + 1] = (time >>> 8) & 0xff;
      bytes[sendTimeAt + 2] = time & 0xff;
    }
  }
}

interface ExtensionValue {
  readonly id: number;
  readonly value: Buffer;
}

/** The bytes of a block in one of the two forms: those that every packet has, and behind them those of one packet. */
class Layout {
  readonly bytes: Buffer;
  length = 0;
  readonly sequenceAt: number;
  readonly sendTimeAt: number;
  readonly playoutDelayAt: number;
  readonly #isShort: boolean;
  readonly #fixedEnd: number;
  #end: number;

  /** @param room for the extensions of one packet */
  constructor(sent: SentExtensions, values: readonly ExtensionValue[], isShort: boolean, room: number) {
    const starts = new Map<number, number>();
    const parts: Buffer[] = [];
    let end = 4;
    for (const { id, value } of values) {
      const head = isShort ? [(id << 4) | (value.length - 1)] : [id, value.length];
      starts.set(id, end + head.length);
      parts.push(Buffer.from(head), value);
      end += head.length + value.length;
    }
    const header = Buffer.alloc(4);
    header.writeUInt16BE(isShort ? ONE_BYTE : TWO_BYTE, 0);
    const needed = end + room === 4 ? 0 : 4 * Math.ceil((end + room) / 4);
    this.bytes = Buffer.concat([header, ...parts], needed);
    this.#isShort = isShort;
    this.#fixedEnd = this.#end = end;
    this.sequenceAt = starts.get(sent.transportSequence ?? 0) ?? -1;
    this.sendTimeAt = starts.get(sent.absoluteSendTime ?? 0) ?? -1;
    this.playoutDelayAt = starts.get(sent.playoutDelay?.id ?? 0) ?? -1;
    this.finish();
  }

  /** Removes the extensions of the last packet. */
  truncate(): void {
    this.#end = this.#fixedEnd;
  }

  /** @returns the offset of the value */
  append(id: number, from: Buffer, start: number, length: number): number {
    const { bytes } = this;
    if (this.#isShort) bytes[this.#end++] = (id << 4) | (length - 1);
    else {
      bytes[this.#end++] = id;
      bytes[this.#end++] = length;
    }
    const at = this.#end;
    for (let index = 0; index < length; index++) bytes[at + index] = from[start + index]!;
    this.#end += length;
    return at;
  }

  /** Call after the last extension. */
  finish(): void {
    if (this.#end === 4) {
      this.length = 0;
      return;
    }
    const words = Math.ceil((this.#end - 4) / 4);
    this.length = 4 + 4 * words;
    this.bytes[2] = words >> 8;
    this.bytes[3] = words & 0xff;
    for (let at = this.#end; at < this.length; at++) this.bytes[at] = 0;
  }
}

function valuesOf({
  mid,
  streamId,
  playoutDelay,
  transportSequence,
  absoluteSendTime,
  passed,
}: SentExtensions): readonly ExtensionValue[] {
  const values: ExtensionValue[] = [];
  if (mid) values.push({ id: mid.id, value: Buffer.from(mid.value, 'latin1') });
  if (streamId) values.push({ id: streamId.id, value: Buffer.from(streamId.value, 'latin1') });
  if (playoutDelay) {
    const { id, min = 0, max = MAX_PLAYOUT_DELAY_MS } = playoutDelay;
    values.push({ id, value: playoutDelayValue(min, max) });
  }
  if (transportSequence !== undefined) values.push({ id: transportSequence, value: Buffer.alloc(2) });
  if (absoluteSendTime !== undefined) values.push({ id: absoluteSendTime, value: Buffer.alloc(3) });
  const passedIds = [passed?.dependencyDescriptor, passed?.captureTime].filter((id) => id !== undefined);
  const ids = [...values.map(({ id }) => id), ...passedIds];
  if (new Set(ids).size !== ids.length) throw new RangeError('two header extensions have the same id');
  for (const id of ids) if (id < 1 || id > 255) throw new RangeError(`invalid id of a header extension: ${id}`);
  for (const { value } of values) {
    if (value.length < 1 || value.length > 255) throw new RangeError('a header extension has 1 to 255 bytes');
  }
  return values;
}

/** Minimum and maximum, 12 bits each, in units of 10 ms. */
function playoutDelayValue(min: number, max: number): Buffer {
  const tens = (ms: number) => Math.min(0xfff, Math.max(0, Math.round(ms / 10)));
  const value = Buffer.alloc(3);
  value.writeUIntBE(tens(min) * 0x1000 + tens(Math.max(min, max)), 0, 3);
  return value;
}
