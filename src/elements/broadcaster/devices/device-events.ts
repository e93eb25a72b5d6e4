import type { TrackKind } from '../../../client/viewer/sources.js';
import {
  StreamCameraChangeEvent,
  StreamDevicesChangeEvent,
  StreamMicrophoneChangeEvent,
  StreamScreenChangeEvent,
  StreamSettingsChangeEvent,
  type DeviceStatus,
} from '../../events.js';
import type { Capture } from './capture.js';
import { settingsOf, type BroadcasterSettings } from './settings.js';

/** An event for each part of the present state of the devices and settings. The tag dispatches those that differ. */
export function deviceEvents(capture: Capture, settings: BroadcasterSettings): readonly Event[] {
  const device = (kind: TrackKind): DeviceStatus => [
    capture.isEnabled(kind),
    capture.state(kind).name,
    capture.deviceId(kind),
  ];
  const { isSharing, devices } = capture;
  return [
    new StreamMicrophoneChangeEvent(...device('audio')),
    new StreamCameraChangeEvent(...device('video')),
    new StreamScreenChangeEvent(isSharing),
    new StreamDevicesChangeEvent(devices.microphones, devices.cameras),
    new StreamSettingsChangeEvent(settingsOf(settings)),
  ];
}

/** Whether two events of one kind report the same state. */
export const isSameEvent = (a: Event, b: Event | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);
