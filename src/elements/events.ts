import type { BroadcasterRecording } from '../client/broadcaster/broadcaster-recording.js';
import type { BroadcasterPhase } from '../client/broadcaster/broadcaster-phase.js';
import type { CaptureError } from '../client/broadcaster/capture.js';
import type { RefusalCode, StreamError } from '../client/errors.js';
import type { StreamSource } from '../client/viewer/sources.js';
import type { ViewerPhase } from '../client/viewer/viewer-phase.js';
import type { VideoLayer } from '../client/viewer/layers.js';
import type { DeviceStateName } from './broadcaster/devices/device-state.js';
import type { BroadcasterSettings } from './broadcaster/devices/settings.js';

const BUBBLING = { bubbles: true, composed: true };

/** The property `phase` has another value. This event precedes the events that say what the change means. */
export class StreamPhaseChangeEvent<Phase = ViewerPhase | BroadcasterPhase> extends Event {
  constructor(
    readonly previous: Phase,
    readonly current: Phase,
  ) {
    super('stream-phase-change', BUBBLING);
  }
}

/** The stream is live: a viewer receives it, a broadcaster sends it. */
export class StreamLiveEvent extends Event {
  constructor(readonly streamName: string) {
    super('stream-live', BUBBLING);
  }
}

/** The broadcast stopped. `declared`: the broadcaster or the owner ended it, so it is over. Else it may start again. */
export class StreamEndedEvent extends Event {
  constructor(
    readonly streamName: string,
    readonly declared = false,
  ) {
    super('stream-ended', BUBBLING);
  }
}

/** The broadcaster is lost and may come back. The phase stays `live`, and `stream-live` follows when they are back. */
export class StreamInterruptedEvent extends Event {
  constructor(readonly streamName: string) {
    super('stream-interrupted', BUBBLING);
  }
}

/** Nothing is broadcast, and the viewer waits. */
export class StreamWaitingEvent extends Event {
  constructor(readonly streamName: string) {
    super('stream-waiting', BUBBLING);
  }
}

/** The server refused. The tag does not try again by itself. `reason` is the refusal code, `message` explains it. */
export class StreamRejectedEvent extends Event {
  /** @param retryable whether the same request can succeed later */
  constructor(
    readonly reason: RefusalCode,
    readonly message: string,
    readonly retryable = false,
  ) {
    super('stream-rejected', BUBBLING);
  }
}

/** Something failed. `retrying` says whether the tag tries again. */
export class StreamErrorEvent extends Event {
  /** @param retryInMs time until the next attempt, in milliseconds; undefined if there is none */
  constructor(
    readonly error: StreamError,
    readonly retryInMs?: number,
  ) {
    super('stream-error', BUBBLING);
  }

  /** Whether the tag tries again by itself. */
  get retrying(): boolean {
    return this.retryInMs !== undefined;
  }
}

/** Camera, microphone or screen could not be opened. The tag shows the reason too. */
export class StreamCaptureErrorEvent extends Event {
  constructor(readonly error: CaptureError) {
    super('stream-capture-error', BUBBLING);
  }
}

/** The number of viewers changed. */
export class StreamViewerCountEvent extends Event {
  constructor(readonly viewers: number) {
    super('stream-viewer-count', BUBBLING);
  }
}

/** The sources of the stream changed, or a source sends other kinds of tracks. */
export class StreamSourcesChangeEvent extends Event {
  constructor(readonly sources: readonly StreamSource[]) {
    super('stream-sources-change', BUBBLING);
  }
}

/** The layers of the video changed: their number, sizes or bitrates. Sent at most once a second. */
export class StreamLayersChangeEvent extends Event {
  constructor(readonly layers: readonly VideoLayer[]) {
    super('stream-layers-change', BUBBLING);
  }
}

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

/** The arguments of an event of the microphone or the camera. */
export type DeviceStatus = readonly [enabled: boolean, state: DeviceStateName, deviceId: string];

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

/** The recording of the broadcast began, ended, or met a fault. */
export class StreamRecordingChangeEvent extends Event {
  constructor(readonly recording: BroadcasterRecording) {
    super('stream-recording-change', BUBBLING);
  }
}

/** A setting of the broadcaster changed: one that people can choose in the settings panel. */
export class StreamSettingsChangeEvent extends Event {
  constructor(readonly settings: Readonly<BroadcasterSettings>) {
    super('stream-settings-change', BUBBLING);
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'stream-phase-change': StreamPhaseChangeEvent;
    'stream-live': StreamLiveEvent;
    'stream-ended': StreamEndedEvent;
    'stream-interrupted': StreamInterruptedEvent;
    'stream-waiting': StreamWaitingEvent;
    'stream-rejected': StreamRejectedEvent;
    'stream-error': StreamErrorEvent;
    'stream-capture-error': StreamCaptureErrorEvent;
    'stream-viewer-count': StreamViewerCountEvent;
    'stream-sources-change': StreamSourcesChangeEvent;
    'stream-layers-change': StreamLayersChangeEvent;
    'stream-recording-change': StreamRecordingChangeEvent;
    'stream-microphone-change': StreamMicrophoneChangeEvent;
    'stream-camera-change': StreamCameraChangeEvent;
    'stream-screen-change': StreamScreenChangeEvent;
    'stream-devices-change': StreamDevicesChangeEvent;
    'stream-settings-change': StreamSettingsChangeEvent;
  }
}
