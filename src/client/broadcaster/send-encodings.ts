export type VideoCodec = 'vp8' | 'h264' | 'vp9' | 'av1';

export interface EncodingOptions {
  readonly codec: VideoCodec;
  /** Width of the captured picture in pixels. Undefined: not known. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly simulcast: boolean;
  /** Limit for the largest encoding, in bit/s. */
  readonly maxBitrate: number | undefined;
}

/** The encodings of simulcast. `from`: the smallest captured height, in pixels, for which it is sent. */
const SIZES = [
  { rid: 'q', scale: 4, from: 540, share: 1 / 12 },
  { rid: 'h', scale: 2, from: 270, share: 1 / 3 },
  { rid: 'f', scale: 1, from: 0, share: 1 },
];

/** The encodings of one video track: one, or up to three sizes, the smallest first. */
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
    // Without this, Chromium sends several encodings of these codecs as layers of one encoding.
    if (codec === 'vp9' || codec === 'av1') encoding.scalabilityMode = 'L1T1';
    return encoding;
  });
}

/** Adds the field of WebRTC SVC 4.1 that the DOM library of TypeScript lacks. */
interface ScalableEncoding extends RTCRtpEncodingParameters {
  scalabilityMode?: string;
}
