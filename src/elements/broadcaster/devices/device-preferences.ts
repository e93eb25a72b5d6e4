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
export function openPreferredDevices(constraints: CaptureConstraints, deviceIds: DeviceIds): Promise<MediaStream> {
  const preferred = preferredDevices();
  const cameraId = deviceIds.video || preferred.video;
  const microphoneId = deviceIds.audio || preferred.audio;
  return orAnyDevice(openCapture, { ...constraints, cameraId, microphoneId }, constraints);
}

/**
 * Opens one device: `last`, or else the one that the person chose last. If it is not plugged in, the browser selects.
 *
 * @throws {CaptureError}
 */
export function openPreferredDevice(
  kind: TrackKind,
  last: string,
  constraints: CaptureConstraints,
): Promise<MediaStreamTrack> {
  return orAnyDevice((deviceId) => openTrack(kind, deviceId, constraints), last || preferredDevices()[kind], undefined);
}

/** Opens `wanted`, or `any` where that is not plugged in. */
const orAnyDevice = <Wanted, Opened>(
  open: (wanted: Wanted) => Promise<Opened>,
  wanted: Wanted,
  any: Wanted,
): Promise<Opened> =>
  open(wanted).catch((error: unknown) => {
    if (error instanceof CaptureError && error.code === 'capture_no_device') return open(any);
    throw error;
  });

/** Stores the choice for all pages of this origin. */
export function savePreferredDevice(kind: TrackKind, deviceId: string): void {
  stored(() => localStorage.setItem(KEY, JSON.stringify({ ...preferredDevices(), [kind]: deviceId })));
}

function preferredDevices(): DeviceIds {
  const found = stored((): unknown => JSON.parse(localStorage.getItem(KEY) ?? ''));
  return { video: text(found, 'video'), audio: text(found, 'audio') };
}
