import type { FrameToSend } from './frame-to-send.js';

const VP8_PICTURE_ID = 0x80;
const VP8_STARTS = 0x10;
const VP9_PICTURE_ID = 0x80;
const VP9_INTER_PICTURE = 0x40;
const VP9_BEGIN = 0x08;
const VP9_END = 0x04;

/** RFC 7741 section 4.2, with a picture id of 15 bits. */
export function vp8PayloadsOf({ data, number }: FrameToSend, most: number): readonly Buffer[] {
  return split(data, most - 4).map((part, index) => {
    const descriptor = [VP8_PICTURE_ID | (index === 0 ? VP8_STARTS : 0), 0x80, ...pictureId(number)];
    return Buffer.concat([Buffer.from(descriptor), part]);
  });
}

/** RFC 9628 section 4.2: no layers, and a picture id of 15 bits. */
export function vp9PayloadsOf({ data, isKeyframe, number }: FrameToSend, most: number): readonly Buffer[] {
  const parts = split(data, most - 3);
  return parts.map((part, index) => {
    const begins = index === 0 ? VP9_BEGIN : 0;
    const ends = index === parts.length - 1 ? VP9_END : 0;
    const flags = VP9_PICTURE_ID | (isKeyframe ? 0 : VP9_INTER_PICTURE) | begins | ends;
    return Buffer.concat([Buffer.from([flags, ...pictureId(number)]), part]);
  });
}

const pictureId = (number: number): readonly number[] => [0x80 | ((number >> 8) & 0x7f), number & 0xff];

function split(data: Buffer, most: number): readonly Buffer[] {
  const count = Math.ceil(data.length / most);
  return Array.from({ length: count }, (_, index) => data.subarray(index * most, (index + 1) * most));
}
