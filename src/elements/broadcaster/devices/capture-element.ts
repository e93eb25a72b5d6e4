import type { PropertyDeclarations } from 'lit';
import type { CaptureError } from '../../../client/broadcaster/capture.js';
import type { VideoCodec } from '../../../client/broadcaster/send-encodings.js';
import { StreamCaptureErrorEvent } from '../../events.js';
import { toPictureHeight, type PictureHeight } from '../../picture-height.js';
import { StyledElement } from '../../styled-element.js';
import { absenceOf, numberOf, textOf } from '../attribute-converters.js';
import { CaptureController } from './capture-controller.js';
import { deviceEvents, isSameEvent } from './device-events.js';
import type { DeviceStateName } from './device-state.js';
import { settingsOf, type BroadcasterSettings } from './settings.js';

/** An element with camera, microphone and screen: their properties, methods and events. Also reports other settings. */
export abstract class CaptureElement extends StyledElement implements BroadcasterSettings {
  static override properties: PropertyDeclarations = {
    srcObject: { attribute: false },
    resolution: { useDefault: true },
    frameRate: { attribute: 'frame-rate', converter: numberOf, useDefault: true },
    echoCancellation: { attribute: 'no-echo-cancellation', converter: absenceOf },
    noiseSuppression: { attribute: 'no-noise-suppression', converter: absenceOf },
    autoGainControl: { attribute: 'no-auto-gain-control', converter: absenceOf },
    noAutoOpen: { attribute: 'no-auto-open', type: Boolean },
    microphoneEnabled: { attribute: 'microphone-off', converter: absenceOf },
    cameraEnabled: { attribute: 'camera-off', converter: absenceOf },
    audioDeviceId: { attribute: 'audio-device-id', converter: textOf },
    videoDeviceId: { attribute: 'video-device-id', converter: textOf },
  };

  /**
   * Media to send in place of camera and microphone, such as that of a canvas or of Web Audio. The tag never stops its
   * tracks.
   */
  srcObject: MediaStream | null = null;

  /** Frames per second. */
  frameRate = 30;

  /** Removes the sound of the loudspeakers from that of the microphone. `no-echo-cancellation` switches it off. */
  echoCancellation = true;

  /** Removes background noise from the sound of the microphone. `no-noise-suppression` switches it off. */
  noiseSuppression = true;

  /** Brings quiet and loud voices to one volume. `no-auto-gain-control` switches it off. */
  autoGainControl = true;

  /** Opens camera and microphone only by `openCamera()` or the button, also where permission is stored. */
  noAutoOpen = false;

  abstract codec: VideoCodec | 'auto';
  abstract simulcast: boolean | 'auto';
  abstract maxBitrate: number;

  readonly #controller = new CaptureController(this, {
    given: () => this.srcObject ?? undefined,
    constraints: () => ({ ...settingsOf(this), height: this.resolution }),
    opensByItself: () => !this.noAutoOpen,
    onReplace: (track) => this.onReplaceTrack(track),
    onKindsChange: () => this.onKindsChange(),
    onError: (error) => this.dispatchEvent(new StreamCaptureErrorEvent(error)),
  });
  #resolution: PictureHeight = 720;
  /** The events for the state at the last update. */
  #events: readonly Event[] | undefined;

  protected readonly capture = this.#controller.capture;

  /**
   * Height of the video in pixels, such as `720`. The camera gives the nearest that it can. `auto` leaves the size to
   * the camera.
   *
   * @default 720
   */
  get resolution(): PictureHeight {
    return this.#resolution;
  }
  set resolution(resolution: PictureHeight) {
    this.#resolution = toPictureHeight(this.localName, 'resolution', resolution);
  }

  /**
   * Whether the microphone sends its sound. A muted one stays open. Holds also for a microphone that opens later. The
   * attribute `microphone-off` sets it to false.
   *
   * @default true
   */
  get microphoneEnabled(): boolean {
    return this.capture.isEnabled('audio');
  }
  set microphoneEnabled(isEnabled: boolean) {
    this.capture.enable('audio', isEnabled);
  }

  /**
   * Whether the camera sends its picture. One that is switched off stays open and sends black. Holds also for a camera
   * that opens later. The attribute `camera-off` sets it to false.
   *
   * @default true
   */
  get cameraEnabled(): boolean {
    return this.capture.isEnabled('video');
  }
  set cameraEnabled(isEnabled: boolean) {
    this.capture.enable('video', isEnabled);
  }

  /**
   * The microphone that is open, or is to be opened: a `deviceId` of `audioDevices`. Empty: the one that was chosen
   * last on this origin, or the browser's choice.
   *
   * @default ''
   */
  get audioDeviceId(): string {
    return this.capture.deviceId('audio');
  }
  set audioDeviceId(deviceId: string) {
    this.capture.setDeviceId('audio', deviceId);
  }

  /**
   * The camera that is open, or is to be opened: a `deviceId` of `videoDevices`. Empty: as with `audioDeviceId`.
   *
   * @default ''
   */
  get videoDeviceId(): string {
    return this.capture.deviceId('video');
  }
  set videoDeviceId(deviceId: string) {
    this.capture.setDeviceId('video', deviceId);
  }

  /** The microphones that can be chosen. Empty until access was allowed. */
  get audioDevices(): readonly MediaDeviceInfo[] {
    return this.capture.devices.microphones;
  }

  /** The cameras that can be chosen. Empty until access was allowed. */
  get videoDevices(): readonly MediaDeviceInfo[] {
    return this.capture.devices.cameras;
  }

  /** What the microphone is doing. `lost`: it ended by itself, as when it is unplugged. */
  get microphoneState(): DeviceStateName {
    return this.capture.state('audio').name;
  }

  /** What the camera is doing. `lost`: it ended by itself, as when it is unplugged. */
  get cameraState(): DeviceStateName {
    return this.capture.state('video').name;
  }

  /** Whether a screen is shared. */
  get screenSharing(): boolean {
    return this.capture.isSharing;
  }

  /** Why camera, microphone or screen could not be opened. Undefined after the next try. */
  get captureError(): CaptureError | undefined {
    return this.capture.error;
  }

  /**
   * Asks for camera and microphone and shows the preview. What is open already stays as it is.
   *
   * @throws {CaptureError} they could not be opened
   */
  async openCamera(): Promise<void> {
    throwIf(await this.capture.open());
  }

  /** Closes camera and microphone. A broadcast that has no screen to send ends with them. */
  closeCamera(): void {
    this.capture.close();
  }

  /**
   * Lets the person choose a screen, a window or a tab to send in place of the camera. Call it from a click. It
   * resolves, too, when the person chooses nothing.
   *
   * @throws {CaptureError} no screen may be shared
   */
  async shareScreen(): Promise<void> {
    throwIf(await this.capture.shareScreen());
  }

  /** Stops sharing the screen and sends the camera again. */
  stopScreen(): Promise<void> {
    return this.capture.stopScreen();
  }

  protected override updated(): void {
    const before = this.#events;
    this.#events = deviceEvents(this.capture, this);
    const changes = before ? this.#events.filter((event, index) => !isSameEvent(event, before[index])) : [];
    for (const event of changes) this.dispatchEvent(event);
  }

  /** Called before a track replaces another one of its kind. Rejects if that needs a new connection. */
  protected abstract onReplaceTrack(track: MediaStreamTrack): Promise<void>;

  /** Called when video or audio was added or removed. */
  protected abstract onKindsChange(): void;
}

function throwIf(error: CaptureError | undefined): void {
  if (error) throw error;
}
