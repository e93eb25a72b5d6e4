import * as machine from '../../src/client/broadcaster/capture.js';
import { devices } from './devices.js';
import { slides } from './scenes.js';
import { sceneTrack } from './generated-tracks.js';

// What is not played is as it is.
export * from '../../src/client/broadcaster/capture.js';

export async function openCapture(choice?: machine.CaptureOptions): Promise<MediaStream> {
  if (devices.scenario === 'real') return machine.openCapture(choice);
  await permission();
  return new MediaStream([devices.open('video'), devices.open('audio')]);
}

export async function openTrack(
  ...[kind, deviceId, wishes]: Parameters<typeof machine.openTrack>
): Promise<MediaStreamTrack> {
  if (devices.scenario === 'real') return machine.openTrack(kind, deviceId, wishes);
  await permission();
  return devices.open(kind);
}

export async function openScreen(wishes?: machine.CaptureConstraints): Promise<MediaStream | undefined> {
  if (devices.scenario === 'real') return machine.openScreen(wishes);
  if (devices.scenario === 'capture_no_screen') throw playedError(devices.scenario);
  return new MediaStream([sceneTrack(slides)]);
}

export async function listDevices(): Promise<machine.CaptureDevices> {
  if (devices.scenario === 'real') return machine.listDevices();
  return { cameras: devices.list('video'), microphones: devices.list('audio') };
}

export async function captureAllowed(): Promise<boolean> {
  return devices.scenario === 'real' ? machine.captureAllowed() : devices.scenario === 'allowed';
}

/** @throws {CaptureError} what stands in the way */
async function permission(): Promise<void> {
  const { scenario } = devices;
  if (scenario === 'asking') await new Promise(() => {});
  if (scenario.startsWith('capture_') && scenario !== 'capture_no_screen')
    throw playedError(scenario as machine.CaptureError['code']);
}

const playedError = (code: machine.CaptureError['code']) => new machine.CaptureError(code, 'It is only played');
