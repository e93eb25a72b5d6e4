import { CaptureError, openCapture, openTrack, type CaptureConstraints } from '../../../client/broadcaster/capture.js';
import { text } from '../../../client/unread.js';
import type { TrackKind } from '../../../client/viewer/sources.js';
import { stored } from '../stored.js';

const KEY = 'streamgate-devices';

/** Device ids. Empty or undefined: the browser's choice. */
type DeviceIds = Readonly<Record<TrackKind, string | undefined>>;

/**
 * Opens camera and microphone: those of `deviceIds`, or else those that the person chose last. If one of them is not
 * plugged in, the browser selects both.
 *
 * @throws {CaptureError}
 */
export async function openPreferredDevices(
  constraints: CaptureConstraints,
  deviceIds: DeviceIds,
): Promise<MediaStream> {
  const preferred = preferredDevices();
  const cameraId = deviceIds.video || preferred.video;
  const microphoneId = deviceIds.audio || preferred.audio;
  try {
    return await openCapture({ ...constraints, cameraId, microphoneId });
  } catch (error) {
    if (isMissing(error) && (cameraId || microphoneId)) return openCapture(constraints);
    throw error;
  }
}

/**
 * Opens one device.
 *
 * @param deviceId empty: `last`, or else the one that the person chose last; if that is not plugged in, the browser's choice
 * @throws {CaptureError}
 */
export async function openPreferredDevice(
  kind: TrackKind,
  deviceId: string,
  last: string,
  constraints: CaptureConstraints,
): Promise<MediaStreamTrack> {
  const preferred = deviceId || last || preferredDevices()[kind];
  try {
    return await openTrack(kind, preferred, constraints);
  } catch (error) {
    if (isMissing(error) && preferred && !deviceId) return openTrack(kind, undefined, constraints);
    throw error;
  }
}

const isMissing = (error: unknown): boolean => error instanceof CaptureError && error.code === 'capture_no_device';

/** Stores the choice for all pages of this origin. */
export function savePreferredDevice(kind: TrackKind, deviceId: string): void {
  stored(() => localStorage.setItem(KEY, JSON.stringify({ ...preferredDevices(), [kind]: deviceId })));
}

function preferredDevices(): DeviceIds {
  const found = stored((): unknown => JSON.parse(localStorage.getItem(KEY) ?? ''));
  return { video: text(found, 'video'), audio: text(found, 'audio') };
}
