import { text } from '../../../client/unread.js';
import type { TrackKind } from '../../../client/viewer/sources.js';

const KEY = 'streamgate-devices';

type Remembered = Readonly<Record<TrackKind, string | undefined>>;

/** The devices that this person chose last, on every page of this origin. Where nothing may be stored, none. */
export function preferredDevices(): Remembered {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '');
    return { video: text(found, 'video'), audio: text(found, 'audio') };
  } catch {
    return { video: undefined, audio: undefined };
  }
}

export function savePreferredDevice(kind: TrackKind, deviceId: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...preferredDevices(), [kind]: deviceId }));
  } catch {
    // Frames and strict settings make every touch of the storage throw.
  }
}
