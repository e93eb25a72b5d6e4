import * as real from '../../src/client/broadcaster/capture.js';
import { devices } from './devices.js';
import { slides } from './scenes.js';
import { sceneTrack } from './generated-tracks.js';

// The exports that are not replaced below.
export * from '../../src/client/broadcaster/capture.js';

export async function openCapture(choice?: real.CaptureOptions): Promise<MediaStream> {
  if (devices.scenario === 'real') return real.openCapture(choice);
  await permission();
  return new MediaStream([devices.open('video'), devices.open('audio')]);
}

export async function openTrack(
  ...[kind, deviceId, constraints]: Parameters<typeof real.openTrack>
): Promise<MediaStreamTrack> {
  if (devices.scenario === 'real') return real.openTrack(kind, deviceId, constraints);
  await permission();
  return devices.open(kind);
}

export async function openScreen(constraints?: real.CaptureConstraints): Promise<MediaStream | undefined> {
  if (devices.scenario === 'real') return real.openScreen(constraints);
  if (devices.scenario === 'capture_no_screen') throw simulatedError(devices.scenario);
  return new MediaStream([sceneTrack(slides)]);
}

export async function listDevices(): Promise<real.CaptureDevices> {
  if (devices.scenario === 'real') return real.listDevices();
  return { cameras: devices.list('video'), microphones: devices.list('audio') };
}

export async function captureAllowed(): Promise<boolean> {
  return devices.scenario === 'real' ? real.captureAllowed() : devices.scenario === 'allowed';
}

/** @throws {CaptureError} the error of the scenario */
async function permission(): Promise<void> {
  const { scenario } = devices;
  if (scenario === 'asking') await new Promise(() => {});
  if (scenario.startsWith('capture_') && scenario !== 'capture_no_screen')
    throw simulatedError(scenario as real.CaptureError['code']);
}

const simulatedError = (code: real.CaptureError['code']) => new real.CaptureError(code, 'This error is simulated');
