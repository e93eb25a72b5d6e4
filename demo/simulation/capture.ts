import * as machine from '../../src/client/capture.js';
import { devices } from './devices.js';
import { slides } from './motifs.js';
import { paintedTrack } from './scene.js';

// What is not played is as it is.
export * from '../../src/client/capture.js';

export async function openCapture(choice?: machine.CaptureChoice): Promise<MediaStream> {
  if (devices.situation === 'real') return machine.openCapture(choice);
  await permission();
  return new MediaStream([devices.open('video'), devices.open('audio')]);
}

export async function openTrack(
  ...[kind, deviceId, wishes]: Parameters<typeof machine.openTrack>
): Promise<MediaStreamTrack> {
  if (devices.situation === 'real') return machine.openTrack(kind, deviceId, wishes);
  await permission();
  return devices.open(kind);
}

export async function openScreen(wishes?: machine.CaptureWishes): Promise<MediaStream | undefined> {
  if (devices.situation === 'real') return machine.openScreen(wishes);
  if (devices.situation === 'capture_no_screen') throw playedError(devices.situation);
  return new MediaStream([paintedTrack(slides)]);
}

export async function listDevices(): Promise<machine.CaptureDevices> {
  if (devices.situation === 'real') return machine.listDevices();
  return { cameras: devices.list('video'), microphones: devices.list('audio') };
}

export async function captureAllowed(): Promise<boolean> {
  return devices.situation === 'real' ? machine.captureAllowed() : devices.situation === 'allowed';
}

/** @throws {CaptureError} what stands in the way */
async function permission(): Promise<void> {
  const { situation } = devices;
  if (situation === 'asking') await new Promise(() => {});
  if (situation.startsWith('capture_') && situation !== 'capture_no_screen')
    throw playedError(situation as machine.CaptureError['code']);
}

const playedError = (code: machine.CaptureError['code']) => new machine.CaptureError(code, 'It is only played');
