import type { AacConfig } from '../../../rtmp/aac-config.js';

const SAMPLE_RATES = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];
const HEADER = 7;
/** Channel configurations by number of channels; seven is that of 7.1. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 8: 7 };
const PROFILES: Readonly<Partial<Record<AacConfig['profile'], number>>> = {
  Main: 0,
  LC: 1,
  SSR: 2,
  LTP: 3,
  HE: 1,
  HEv2: 1,
};

/**
 * An AAC frame with the header that decoders of a byte stream need (ISO/IEC 13818-7 section 6.2). HE-AAC is sent as
 * the AAC-LC that it contains: decoders find the rest in the frames.
 * @returns undefined: the header has no way to say it
 */
export function adtsFrame({ profile, sampleRate, channels }: AacConfig, frame: Buffer): Buffer | undefined {
  const profileIndex = PROFILES[profile];
  const rateIndex = SAMPLE_RATES.indexOf(sampleRate);
  const channelIndex = CHANNELS[channels];
  const length = HEADER + frame.length;
  if (profileIndex === undefined || rateIndex < 0 || channelIndex === undefined || length >= 1 << 13) return undefined;
  const header = Buffer.from([
    0xff,
    0xf1,
    (profileIndex << 6) | (rateIndex << 2) | (channelIndex >> 2),
    ((channelIndex & 3) << 6) | (length >> 11),
    (length >> 3) & 0xff,
    ((length & 7) << 5) | 0x1f,
    0xfc,
  ]);
  return Buffer.concat([header, frame]);
}
