import type { VideoCodec } from '../../client/broadcaster/broadcaster.js';

/** The codecs that can be sent, and their names for people. */
export const CODECS: Readonly<Record<VideoCodec, string>> = { vp8: 'VP8', h264: 'H.264', vp9: 'VP9', av1: 'AV1' };

// Where these answer undefined, Lit takes the default of the property: what cannot be read counts as absent.

/** No setting can be 0 but the bitrate, and 0 is its default. */
export function numberOf(value: string | null): number | undefined {
  return Number(value) || undefined;
}

export function codecOf(value: string | null): VideoCodec | undefined {
  return value !== null && Object.hasOwn(CODECS, value) ? (value as VideoCodec) : undefined;
}

/** For a boolean attribute that switches off what is on by default. */
export function absenceOf(value: string | null): boolean {
  return value === null;
}

export function textOf(value: string | null): string {
  return value ?? '';
}
