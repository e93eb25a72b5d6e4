import { sameOptions } from '../../../client/same-options.js';
import type { TrackKind } from '../../../client/viewer/sources.js';
import type { Capture } from './capture.js';
import type { DeviceStateName } from './device-state.js';
import { settingsOf, type BroadcasterSettings } from './settings.js';

const BUBBLING = { bubbles: true, composed: true };

class DeviceChangeEvent extends Event {
  /**
   * @param enabled whether the device is not muted
   * @param deviceId id of the open device, or of the device to open
   */
  constructor(
    type: string,
    readonly enabled: boolean,
    readonly state: DeviceStateName,
    readonly deviceId: string,
  ) {
    super(type, BUBBLING);
  }
}

type DeviceStatus = readonly [enabled: boolean, state: DeviceStateName, deviceId: string];

/** The microphone was opened, closed, lost, muted or unmuted, or another one was chosen. */
export class StreamMicrophoneChangeEvent extends DeviceChangeEvent {
  constructor(...status: DeviceStatus) {
    super('stream-microphone-change', ...status);
  }
}

/** The camera was opened, closed, lost, switched off or on, or another one was chosen. */
export class StreamCameraChangeEvent extends DeviceChangeEvent {
  constructor(...status: DeviceStatus) {
    super('stream-camera-change', ...status);
  }
}

/** Sharing of a screen started or ended. */
export class StreamScreenChangeEvent extends Event {
  constructor(readonly sharing: boolean) {
    super('stream-screen-change', BUBBLING);
  }
}

/** The list of microphones or cameras changed. */
export class StreamDevicesChangeEvent extends Event {
  constructor(
    readonly audioDevices: readonly MediaDeviceInfo[],
    readonly videoDevices: readonly MediaDeviceInfo[],
  ) {
    super('stream-devices-change', BUBBLING);
  }
}

/** A setting of the broadcaster changed: one that people can choose in the settings panel. */
export class StreamSettingsChangeEvent extends Event {
  constructor(readonly settings: Readonly<BroadcasterSettings>) {
    super('stream-settings-change', BUBBLING);
  }
}

/** What a page can read of the devices and the settings, as the arguments of each event. */
type CaptureStatus = readonly [
  microphone: DeviceStatus,
  camera: DeviceStatus,
  screen: readonly [sharing: boolean],
  devices: readonly [audio: readonly MediaDeviceInfo[], video: readonly MediaDeviceInfo[]],
  settings: Readonly<BroadcasterSettings>,
];

export function captureStatus(capture: Capture, settings: BroadcasterSettings): CaptureStatus {
  const device = (kind: TrackKind): DeviceStatus => [
    capture.isEnabled(kind),
    capture.state(kind).name,
    capture.deviceId(kind),
  ];
  const { isSharing, devices } = capture;
  return [device('audio'), device('video'), [isSharing], [devices.microphones, devices.cameras], settingsOf(settings)];
}

/** The events for what changed. */
export function deviceEvents(now: CaptureStatus, before: CaptureStatus): readonly Event[] {
  const isOther = (index: 0 | 1 | 2 | 3 | 4): boolean => !sameOptions(now[index], before[index]);
  return [
    isOther(0) && new StreamMicrophoneChangeEvent(...now[0]),
    isOther(1) && new StreamCameraChangeEvent(...now[1]),
    isOther(2) && new StreamScreenChangeEvent(...now[2]),
    isOther(3) && new StreamDevicesChangeEvent(...now[3]),
    isOther(4) && new StreamSettingsChangeEvent(now[4]),
  ].filter((event) => event !== false);
}
