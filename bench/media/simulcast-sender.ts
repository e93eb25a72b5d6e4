import { readRtcp } from '../../server/media/embedded/rtcp/rtcp.js';
import { rtpPacket } from '../../test/support/media/rtp.js';
import type { RtpPeer } from '../../test/support/media/rtp-peer.js';
import { PAYLOAD_TYPES } from '../../test/support/media/offer.js';
import { FRAMES_PER_SECOND, stamp } from './video-sender.js';

/** The SSRCs of the simulcast that it sends, smallest first. */
export const SIMULCAST_SSRCS = [2_000, 2_010, 2_020] as const;
const HEIGHTS = [180, 360, 720] as const;
/** Packets of an encoding, compared with those of the best. */
const PARTS = [1 / 10, 1 / 3, 1] as const;
const AUDIO_SSRC = 1001;
const SOUND_MS = 20;
const PACKET_BYTES = 1_100;
const SOUND_BYTES = 92;
const TIMER_MS = 5;

/** Sends sound, and video in three encodings, as a camera does, with the keyframes that are asked for. */
export class SimulcastSender {
  readonly #peer: RtpPeer;
  readonly #start = performance.now();
  readonly #sequences = SIMULCAST_SSRCS.map(() => 0);
  #soundSequence = 0;
  #frames = 0;
  /** Encodings whose next frame is a keyframe. */
  readonly #keyframes = new Set<number>(SIMULCAST_SSRCS);
  #rtcpRead = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Packets of each frame of the best encoding. */
  packetsPerFrame = 1;

  constructor(peer: RtpPeer) {
    this.#peer = peer;
  }

  /** Follows the clock: after a late timer it sends all that is due. */
  start(): void {
    const elapsed = () => performance.now() - this.#start;
    this.#frames = Math.ceil((elapsed() * FRAMES_PER_SECOND) / 1_000);
    this.#soundSequence = Math.ceil(elapsed() / SOUND_MS);
    this.#timer = setInterval(() => {
      while (this.#soundSequence * SOUND_MS <= elapsed()) this.#sendSound();
      while ((this.#frames * 1_000) / FRAMES_PER_SECOND <= elapsed()) this.#sendFrame();
    }, TIMER_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #sendSound(): void {
    const sequence = this.#soundSequence++;
    const payload = stamp(Buffer.alloc(SOUND_BYTES, 9));
    const timestamp = sequence * 960;
    this.#peer.send(rtpPacket({ payloadType: PAYLOAD_TYPES.opus, ssrc: AUDIO_SSRC, sequence, timestamp, payload }));
  }

  #sendFrame(): void {
    this.#readKeyframeRequests();
    const timestamp = Math.round((this.#frames++ * 90_000) / FRAMES_PER_SECOND);
    for (const [encoding, ssrc] of SIMULCAST_SSRCS.entries()) {
      const packets = Math.max(1, Math.round(this.packetsPerFrame * PARTS[encoding]!));
      const isKeyframe = this.#keyframes.delete(ssrc);
      for (let index = 0; index < packets; index++) {
        const payload = payloadOf(encoding, index === 0, isKeyframe);
        const sequence = this.#sequences[encoding]!++;
        this.#peer.send(rtpPacket({ ssrc, sequence, timestamp, marker: index === packets - 1, payload }));
      }
    }
  }

  #readKeyframeRequests(): void {
    const { rtcp } = this.#peer;
    for (const packet of rtcp.slice(this.#rtcpRead)) {
      for (const message of readRtcp(packet)) {
        if (message.type === 'keyframe-request') this.#keyframes.add(message.mediaSsrc);
      }
    }
    this.#rtcpRead = rtcp.length;
  }
}

/** VP8 (RFC 7741, RFC 6386 9.1). The byte in front of the stamp names the encoding. */
function payloadOf(encoding: number, isFirst: boolean, isKeyframe: boolean): Buffer {
  const payload = Buffer.alloc(PACKET_BYTES - 12, 1);
  const height = HEIGHTS[encoding]!;
  const width = (height * 16) / 9;
  payload[0] = isFirst ? 0x10 : 0x00;
  if (isFirst && isKeyframe) {
    payload.set([0x10, 0x02, 0x00, 0x9d, 0x01, 0x2a, width & 0xff, width >> 8, height & 0xff, height >> 8], 1);
  } else if (isFirst) {
    payload.set([0x11, 0x02, 0x00], 1);
  }
  payload[payload.length - 9] = encoding;
  return stamp(payload);
}

/** The encoding of a video packet that arrived. */
export const encodingOf = (packet: Buffer): number => packet[packet.length - 9]!;
