import { extensionLength, findExtension, ONE_BYTE, TWO_BYTE } from './header-extensions.js';
import { fixedHeaderEnd, payloadStart, withoutHeaderExtension } from './packet.js';

/**
 * Of the header extensions of a source, the packets inside the server keep those that are about the media and not about
 * its way here. Whatever ids the peer uses, they have these.
 */
export const KEPT_IDS = { dependencyDescriptor: 1, captureTime: 2 } as const;

/** The sender's ids of the extensions to keep. Undefined: not agreed. */
export interface SenderIds {
  readonly dependencyDescriptor: number | undefined;
  readonly captureTime: number | undefined;
}

const EXTENSION_BIT = 0x10;
/** The values, and their heads of two bytes. */
const scratch = new Uint8Array(2 * (255 + 2));
/** Of the one-byte form. */
const LONGEST_SHORT = 16;

/** Leaves out all other header extensions, in place. The result is a view of the packet. */
export function keepExtensions(packet: Buffer, ids: SenderIds): Buffer {
  if (!(packet[0]! & EXTENSION_BIT)) return packet;
  const descriptorAt = ids.dependencyDescriptor === undefined ? -1 : findExtension(packet, ids.dependencyDescriptor);
  const timeAt = ids.captureTime === undefined ? -1 : findExtension(packet, ids.captureTime);
  const descriptor = descriptorAt < 0 ? 0 : extensionLength(packet, descriptorAt);
  const time = timeAt < 0 ? 0 : extensionLength(packet, timeAt);
  if (descriptor === 0 && time === 0) return withoutHeaderExtension(packet);
  const isShort = descriptor <= LONGEST_SHORT && time <= LONGEST_SHORT;
  let length = 0;
  const add = (id: number, at: number, bytes: number): void => {
    if (bytes === 0) return;
    if (isShort) scratch[length++] = (id << 4) | (bytes - 1);
    else {
      scratch[length++] = id;
      scratch[length++] = bytes;
    }
    for (let index = 0; index < bytes; index++) scratch[length++] = packet[at + index]!;
  };
  add(KEPT_IDS.dependencyDescriptor, descriptorAt, descriptor);
  add(KEPT_IDS.captureTime, timeAt, time);
  const words = Math.ceil(length / 4);
  // The kept ones are never longer than they were: what was in the form of one byte still is.
  const header = fixedHeaderEnd(packet);
  const start = payloadStart(packet) - 4 - 4 * words - header;
  packet.copyWithin(start, 0, header);
  const rest = packet.subarray(start);
  rest.writeUInt16BE(isShort ? ONE_BYTE : TWO_BYTE, header);
  rest.writeUInt16BE(words, header + 2);
  for (let index = 0; index < 4 * words; index++) rest[header + 4 + index] = index < length ? scratch[index]! : 0;
  return rest;
}

/** Seconds from 1900 on, and a fraction of 32 bits. */
export interface NtpTime {
  readonly ntpSeconds: number;
  readonly ntpFraction: number;
}

/** The header extension of a packet that has a capture time alone (abs-capture-time: an NTP timestamp of 64 bits). */
export function captureTimeBlock({ ntpSeconds, ntpFraction }: NtpTime): Buffer {
  const block = Buffer.alloc(4 + 12);
  block.writeUInt16BE(ONE_BYTE, 0);
  block.writeUInt16BE(3, 2);
  block[4] = (KEPT_IDS.captureTime << 4) | 7;
  block.writeUInt32BE(ntpSeconds, 5);
  block.writeUInt32BE(ntpFraction, 9);
  return block;
}
