import type { TrackKind } from '../../client/sources.js';

const KEY = 'streamgate-devices';

type Remembered = Partial<Record<TrackKind, string>>;

/** The devices that this person chose last, on every page of this origin. Where nothing may be stored, none. */
export function rememberedDevices(): Remembered {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    if (typeof found !== 'object' || found === null) return {};
    return Object.fromEntries(Object.entries(found).filter(([, id]) => typeof id === 'string'));
  } catch {
    return {};
  }
}

export function rememberDevice(kind: TrackKind, deviceId: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...rememberedDevices(), [kind]: deviceId }));
  } catch {
    // Frames and strict settings make every touch of the storage throw.
  }
}
