import { text } from '../../client/reading.js';
import type { TrackKind } from '../../client/sources.js';

const KEY = 'streamgate-devices';

type Remembered = Readonly<Record<TrackKind, string | undefined>>;

/** The devices that this person chose last, on every page of this origin. Where nothing may be stored, none. */
export function rememberedDevices(): Remembered {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '');
    return { video: text(found, 'video'), audio: text(found, 'audio') };
  } catch {
    return { video: undefined, audio: undefined };
  }
}

export function rememberDevice(kind: TrackKind, deviceId: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...rememberedDevices(), [kind]: deviceId }));
  } catch {
    // Frames and strict settings make every touch of the storage throw.
  }
}
