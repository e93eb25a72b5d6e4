import { BitReader } from '../bit-reader.js';

/** What a decoder needs to know of AAC (ISO/IEC 14496-3 section 1.6.2.1). */
export interface AacConfig {
  /** `HE` and `HEv2` only if the encoder says so. An encoder of HE-AAC can also say `LC`, and the frames have more. */
  readonly profile: 'Main' | 'LC' | 'SSR' | 'LTP' | 'HE' | 'HEv2' | 'other';
  /** Of the core, in Hz. HE-AAC plays at `outputSampleRate`. */
  readonly sampleRate: number;
  readonly outputSampleRate: number;
  /** Of the core. HEv2 plays one channel as two. 0: the frames say. */
  readonly channels: number;
  /** The `AudioSpecificConfig` as it came. */
  readonly bytes: Buffer;
}

const SAMPLE_RATES = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];
const CHANNELS = [0, 1, 2, 3, 4, 5, 6, 8];
const PROFILES: Readonly<Record<number, AacConfig['profile']>> = { 1: 'Main', 2: 'LC', 3: 'SSR', 4: 'LTP' };
const SPECTRAL_BAND_REPLICATION = 5;
const PARAMETRIC_STEREO = 29;
/** Before an extension at the end of the config, which decoders of AAC-LC ignore. */
const SYNC_EXTENSION = 0x2b7;
const SYNC_PARAMETRIC_STEREO = 0x548;

/** Reads an `AudioSpecificConfig`. Undefined: it is not valid. */
export function readAacConfig(bytes: Buffer): AacConfig | undefined {
  const bits = new BitReader(bytes, 0, bytes.length);
  const first = objectType(bits);
  const sampleRate = frequency(bits);
  const channels = CHANNELS[bits.bits(4)];
  if (bits.isPastEnd || sampleRate === undefined || channels === undefined) return undefined;
  const read = { sampleRate, outputSampleRate: sampleRate, channels, bytes };
  if (first === SPECTRAL_BAND_REPLICATION || first === PARAMETRIC_STEREO) {
    const outputSampleRate = frequency(bits);
    if (bits.isPastEnd || outputSampleRate === undefined) return undefined;
    return { ...read, profile: first === PARAMETRIC_STEREO ? 'HEv2' : 'HE', outputSampleRate };
  }
  const profile = PROFILES[first] ?? 'other';
  return profile === 'LC' ? { ...read, profile, ...extension(bits) } : { ...read, profile };
}

/** The backward compatible signal of HE-AAC after the config of AAC-LC. Empty: there is none. */
function extension(bits: BitReader): Partial<Pick<AacConfig, 'profile' | 'outputSampleRate'>> {
  const [, dependsOnCoder] = [bits.bits(1), bits.bits(1)];
  if (dependsOnCoder === 1) bits.bits(14);
  bits.bits(1);
  if (bits.bits(11) !== SYNC_EXTENSION || objectType(bits) !== SPECTRAL_BAND_REPLICATION || bits.bits(1) !== 1)
    return {};
  const outputSampleRate = frequency(bits);
  if (bits.isPastEnd || outputSampleRate === undefined) return {};
  const isStereo = bits.bits(11) === SYNC_PARAMETRIC_STEREO && bits.bits(1) === 1;
  return { profile: isStereo ? 'HEv2' : 'HE', outputSampleRate };
}

function objectType(bits: BitReader): number {
  const type = bits.bits(5);
  return type === 31 ? 32 + bits.bits(6) : type;
}

function frequency(bits: BitReader): number | undefined {
  const index = bits.bits(4);
  const rate = index === 15 ? bits.bits(24) : SAMPLE_RATES[index];
  return rate === 0 ? undefined : rate;
}
