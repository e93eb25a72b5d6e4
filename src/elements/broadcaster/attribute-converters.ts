import type { VideoCodec } from '../../client/broadcaster/broadcaster.js';

/** The codecs that can be sent, with their display names. */
export const CODECS: Readonly<Record<VideoCodec, string>> = { vp8: 'VP8', h264: 'H.264', vp9: 'VP9', av1: 'AV1' };

// For undefined, Lit uses the default of the property. So a value that cannot be read counts as absent.

/** 0 counts as absent: only the bitrate can be 0, and 0 is its default. */
export function numberOf(value: string | null): number | undefined {
  return Number(value) || undefined;
}

export function codecOf(value: string | null): VideoCodec | undefined {
  return value !== null && Object.hasOwn(CODECS, value) ? (value as VideoCodec) : undefined;
}

/** Frameworks set an attribute that has no value to an empty string. */
export function simulcastOf(value: unknown): boolean | 'auto' {
  const given = value ?? 'auto';
  return given === 'auto' ? given : given !== false && given !== 'false';
}

/** For a boolean attribute that sets a property to false. */
export function absenceOf(value: string | null): boolean {
  return value === null;
}

export function textOf(value: string | null): string {
  return value ?? '';
}
