export type VideoCodec = 'vp8' | 'h264' | 'vp9' | 'av1';

export interface EncodingOptions {
  /** Width of the captured picture in pixels. Absent: not known. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Undefined: `adaptSimulcast` decides while the video is sent. */
  readonly simulcast: boolean | undefined;
  /** Of the processor. */
  readonly cores: number;
  /** Limit for the largest encoding, in bit/s. */
  readonly maxBitrate: number | undefined;
}

/** The smallest height of an encoding of simulcast, in pixels. */
const MIN_HEIGHT = 135;
/** The smallest number of cores with which it is automatic. */
const MIN_CORES = 4;
/** The id of the largest encoding of simulcast. */
export const LARGEST = 'f';
/** The encodings of simulcast. `part`: the limit of the bitrate is divided by it. */
const SIZES = [
  { rid: 'q', scale: 4, part: 12 },
  { rid: 'h', scale: 2, part: 3 },
  { rid: LARGEST, scale: 1, part: 1 },
];

/**
 * The encodings of one video track: one, or up to three sizes, the smallest first. Where simulcast is automatic, it needs
 * all three, and only the largest is sent at first.
 */
export function sendEncodings({
  width = 1280,
  height = 720,
  simulcast,
  cores,
  maxBitrate,
}: EncodingOptions): SendEncoding[] {
  const sizes = SIZES.filter(({ scale }) => Math.min(width, height) >= MIN_HEIGHT * scale);
  const isPossible = simulcast ? sizes[1] : simulcast === undefined && sizes[2] && cores >= MIN_CORES;
  // In a dictionary of the browser, undefined is the same as absent.
  if (!isPossible) return [{ maxBitrate }];
  return sizes.map(({ rid, scale, part }) => ({
    rid,
    scaleResolutionDownBy: scale,
    active: simulcast || rid === LARGEST,
    // Without a mode, Chromium sends several encodings of VP9 and AV1 as layers of one encoding.
    scalabilityMode: 'L1T1',
    // The browser ignores a fraction.
    maxBitrate: maxBitrate && maxBitrate / part,
  }));
}

/** `RTCRtpEncodingParameters`, with the mode of WebRTC SVC 4.1. */
export interface SendEncoding {
  readonly rid?: string;
  readonly active?: boolean;
  readonly scaleResolutionDownBy?: number;
  readonly scalabilityMode?: string;
  readonly maxBitrate: number | undefined;
}
