import type { VideoCodec } from './broadcaster.js';

export interface EncodingOptions {
  readonly codec: VideoCodec;
  /** Of the whole picture; undefined: not known. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly simulcast: boolean;
  /** In bit/s, of the whole picture at full size. */
  readonly maxBitrate: number | undefined;
}

/** Each half as wide and high as the next, and worth sending only where the whole picture is that high, in pixels. */
const SIZES = [
  { rid: 'q', scale: 4, from: 540, share: 1 / 12 },
  { rid: 'h', scale: 2, from: 270, share: 1 / 3 },
  { rid: 'f', scale: 1, from: 0, share: 1 },
];

/** What one video is sent as: once, or in up to three sizes, the smallest first. */
export function sendEncodings({
  codec,
  width = 1280,
  height = 720,
  simulcast,
  maxBitrate,
}: EncodingOptions): RTCRtpEncodingParameters[] {
  const sizes = SIZES.filter(({ from }) => Math.min(width, height) >= from);
  if (!simulcast || sizes.length === 1) return [maxBitrate === undefined ? {} : { maxBitrate }];
  return sizes.map(({ rid, scale, share }) => {
    const encoding: ScalableEncoding = { rid, scaleResolutionDownBy: scale };
    if (maxBitrate !== undefined) encoding.maxBitrate = Math.round(maxBitrate * share);
    // Without it, Chromium takes several encodings of these codecs for layers of one.
    if (codec === 'vp9' || codec === 'av1') encoding.scalabilityMode = 'L1T1';
    return encoding;
  });
}

/** With what TypeScript's DOM does not know of (WebRTC SVC 4.1). */
interface ScalableEncoding extends RTCRtpEncodingParameters {
  scalabilityMode?: string;
}
