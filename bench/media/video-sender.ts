import { rtpPacket } from '../../test/support/media/rtp.js';

/** The SSRC of the video that `RtpPeer` offers as a publisher. */
export const VIDEO_SSRC = 1002;

export const FRAMES_PER_SECOND = 30;
const PACKET_BYTES = 1_100;
const STAMP_BYTES = 8;
/** VP8 payload descriptors (RFC 7741): of the first packet of a frame, and of the others. */
const [FIRST_PACKET, NEXT_PACKET] = [0x10, 0x00];
/** VP8 frame headers (RFC 6386 9.1): a shown keyframe of 1280 × 720, and a delta frame. */
const KEYFRAME = [0x10, 0x02, 0x00, 0x9d, 0x01, 0x2a, 0x00, 0x05, 0xd0, 0x02];
const DELTA_FRAME = [0x11, 0x02, 0x00];

/** Sends video frame by frame as a camera does, with a keyframe every second. The payload is no decodable picture. */
export class VideoSender {
  readonly #send: (packet: Buffer) => void;
  readonly #start = performance.now();
  #frames = 0;
  #sequence = 0;

  constructor(send: (packet: Buffer) => void) {
    this.#send = send;
  }

  /**
   * Follows the clock: after a late timer it sends all frames that are due. It ends when the next frame would be due: by
   * then a forwarder that keeps up has forwarded the last one.
   * @returns how many packets were sent
   */
  async sendFor(ms: number, packetsPerFrame: number): Promise<number> {
    const start = performance.now();
    let sent = 0;
    for (let frames = 0; ; frames++) {
      const due = start + (frames * 1_000) / FRAMES_PER_SECOND;
      const wait = due - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      if (due - start >= ms) return sent;
      this.#sendFrame(packetsPerFrame);
      sent += packetsPerFrame;
    }
  }

  #sendFrame(packets: number): void {
    const timestamp = Math.round((performance.now() - this.#start) * 90);
    const isKeyframe = this.#frames++ % FRAMES_PER_SECOND === 0;
    for (let index = 0; index < packets; index++) {
      const payload = Buffer.alloc(PACKET_BYTES - 12, 1);
      payload[0] = index === 0 ? FIRST_PACKET : NEXT_PACKET;
      if (index === 0) payload.set(isKeyframe ? KEYFRAME : DELTA_FRAME, 1);
      stamp(payload);
      const marker = index === packets - 1;
      this.#send(rtpPacket({ sequence: this.#sequence++, timestamp, ssrc: VIDEO_SSRC, marker, payload }));
    }
  }
}

/** Writes the time into the end of a payload, for `sentAt`. */
export function stamp(payload: Buffer): Buffer {
  payload.writeBigUInt64BE(process.hrtime.bigint(), payload.length - STAMP_BYTES);
  return payload;
}

/** When a packet was sent, by `process.hrtime`. Its clock is the same in all processes of a machine. */
export function sentAt(packet: Buffer): bigint {
  return packet.readBigUInt64BE(packet.length - STAMP_BYTES);
}

/** How long ago a packet was sent, in ms. */
export function delayOf(packet: Buffer): number {
  return Number(process.hrtime.bigint() - sentAt(packet)) / 1e6;
}
