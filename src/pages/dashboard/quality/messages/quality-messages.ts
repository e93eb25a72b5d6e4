// Generated from en.json by `npm run generate`. Do not edit.
import type { DeviceClass } from '../../../../wire/management/session.js';

/** The texts about what viewers saw, for several pages. Dates and numbers arrive formatted for the language. */
export interface QualityMessages {
  readonly experience: string;
  readonly nothing: string;
  readonly devices: Readonly<Record<DeviceClass, string>>;
  readonly freezes: (count: string, duration: string) => string;
  readonly pictureAfter: (duration: string) => string;
  readonly frozen: string;
  readonly firstPicture: string;
  readonly within: (median: string, p95: string) => string;
  readonly resolution: string;
  readonly roundTrip: string;
  readonly loss: string;
  readonly worst: string;
  readonly worstAt: (time: string, frozen: string, all: number, shownAll: string) => string;
  /** By the cause in the answer of the server. */
  readonly causes: Readonly<Record<'server_load' | 'broadcast' | 'server_network' | 'viewer_network' | 'viewer_device', string>>;
}
