import type { CaptureErrorCode } from '../../src/client/errors.js';
import type { TrackKind } from '../../src/client/viewer/sources.js';
import { deskCamera } from './scenes.js';
import { onCue } from './cues.js';
import { sceneTrack, voiceTrack } from './generated-tracks.js';

/**
 * How the devices behave. `real`: those of this computer. `allowed`: generated ones, which open without a permission
 * prompt. All others: generated ones that do not open, or not yet.
 */
export type DeviceScenario = 'real' | 'allowed' | 'not-asked' | 'asking' | CaptureErrorCode;

/** Camera and microphone with generated pictures and sound. */
export class SimulatedDevices {
  scenario: DeviceScenario = 'real';
  readonly #open = new Map<TrackKind, MediaStreamTrack>();

  constructor() {
    onCue('unplug', new AbortController().signal, () => this.#unplug('video'));
  }

  open(kind: TrackKind): MediaStreamTrack {
    const track = kind === 'video' ? sceneTrack(deskCamera) : voiceTrack();
    this.#open.set(kind, track);
    return track;
  }

  /** The devices to choose from. The first one is open. */
  list(kind: TrackKind): MediaDeviceInfo[] {
    const id = this.#open.get(kind)?.getSettings().deviceId ?? '';
    const labels = kind === 'video' ? ['Front camera', 'Desk camera'] : ['Built-in microphone', 'Headset'];
    return labels.map((label, index) => deviceInfo(kind, index === 0 ? id : `${kind}-${index}`, label));
  }

  /** Ends the track, as browsers do when a device is unplugged. */
  #unplug(kind: TrackKind): void {
    const track = this.#open.get(kind);
    if (track?.readyState !== 'live') return;
    track.stop();
    track.dispatchEvent(new Event('ended'));
  }
}

export const devices = new SimulatedDevices();

function deviceInfo(kind: TrackKind, deviceId: string, label: string): MediaDeviceInfo {
  const info = { kind: `${kind}input` as MediaDeviceKind, deviceId, label, groupId: '' };
  return { ...info, toJSON: () => info };
}
