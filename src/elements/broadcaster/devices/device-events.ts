import type { TrackKind } from '../../../client/viewer/sources.js';
import type { Capture } from './capture.js';
import type { DeviceStateName } from './device-state.js';

const SEEN_BY_THE_PAGE = { bubbles: true, composed: true };

class DeviceChangeEvent extends Event {
  /**
   * @param enabled whether it sends its sound or its picture
   * @param deviceId of the device that is open, or is to be opened
   */
  constructor(
    type: string,
    readonly enabled: boolean,
    readonly state: DeviceStateName,
    readonly deviceId: string,
  ) {
    super(type, SEEN_BY_THE_PAGE);
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

/** A screen is shared, or no longer. */
export class StreamScreenChangeEvent extends Event {
  constructor(readonly sharing: boolean) {
    super('stream-screen-change', SEEN_BY_THE_PAGE);
  }
}

/** Other microphones or cameras can be chosen than before. */
export class StreamDevicesChangeEvent extends Event {
  constructor(
    readonly audioDevices: readonly MediaDeviceInfo[],
    readonly videoDevices: readonly MediaDeviceInfo[],
  ) {
    super('stream-devices-change', SEEN_BY_THE_PAGE);
  }
}

/** What a page can read of the devices, as the arguments of each event. */
type CaptureStatus = readonly [
  microphone: DeviceStatus,
  camera: DeviceStatus,
  screen: readonly [sharing: boolean],
  devices: readonly [audio: readonly MediaDeviceInfo[], video: readonly MediaDeviceInfo[]],
];

export function captureStatus(capture: Capture): CaptureStatus {
  const device = (kind: TrackKind): DeviceStatus => [
    capture.isEnabled(kind),
    capture.state(kind).name,
    capture.deviceId(kind),
  ];
  const { isSharing, devices } = capture;
  return [device('audio'), device('video'), [isSharing], [devices.microphones, devices.cameras]];
}

/** The events that tell a page what is different now. */
export function deviceEvents(now: CaptureStatus, before: CaptureStatus): readonly Event[] {
  const isOther = (index: 0 | 1 | 2 | 3): boolean => now[index].some((value, at) => value !== before[index][at]);
  return [
    isOther(0) && new StreamMicrophoneChangeEvent(...now[0]),
    isOther(1) && new StreamCameraChangeEvent(...now[1]),
    isOther(2) && new StreamScreenChangeEvent(...now[2]),
    isOther(3) && new StreamDevicesChangeEvent(...now[3]),
  ].filter((event) => event !== false);
}
