import type { VideoCodec } from '../../client/broadcaster/broadcaster.js';
import { CODECS } from './devices/settings-panel.js';

// Undefined has Lit fall back to the property's default: what cannot be read counts as not said.

/** No setting of ours can be 0, but for the bitrate, where that is the default. */
export function numberOf(value: string | null): number | undefined {
  return Number(value) || undefined;
}

export function codecOf(value: string | null): VideoCodec | undefined {
  return value !== null && Object.hasOwn(CODECS, value) ? (value as VideoCodec) : undefined;
}
