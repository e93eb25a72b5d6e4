import {
  captureError,
  listDevices,
  openScreen,
  openTrack,
  videoConstraints,
  type CaptureConstraints,
  type CaptureDevices,
  type CaptureError,
} from '../../../client/broadcaster/capture.js';
import type { TrackKind } from '../../../client/viewer/sources.js';
import { DeviceOperations } from './device-operations.js';
import { openPreferredDevice, openPreferredDevices, savePreferredDevice } from './device-preferences.js';
import type { CaptureKind, DeviceState, LossReason } from './device-state.js';
import { OutgoingStream, type OutgoingStreamConfig } from './outgoing-stream.js';

export interface CaptureConfig extends Pick<OutgoingStreamConfig, 'onReplace' | 'onKindsChange'> {
  readonly constraints: () => CaptureConstraints;
  /** Whether devices may be opened. False if the page provides media, or the tag is not in a page. */
  readonly mayOpen: () => boolean;
  readonly onError: (error: CaptureError) => void;
  /** Called when a public value of `Capture` has changed. */
  readonly onChange: () => void;
}

const KINDS = ['video', 'audio'] as const;

/** Camera, microphone and screen of one tag, and the stream that they form. */
export class Capture {
  readonly #config: CaptureConfig;
  readonly #outgoing: OutgoingStream;
  readonly #operations = new DeviceOperations({
    onOpen: (kind, track) => {
      if (kind !== 'screen') track.enabled = this.#enabled[kind];
    },
    onLoss: () => void this.#apply(),
  });
  readonly #enabled: Record<TrackKind, boolean> = { video: true, audio: true };
  /** The devices to open. Empty: the preferred one, or the browser's choice. */
  readonly #deviceIds: Record<TrackKind, string> = { video: '', audio: '' };
  #given: MediaStream | undefined;
  #opening: Promise<CaptureError | undefined> | undefined;

  /** The devices that are plugged in. Replaced only when one is added, removed or renamed. */
  devices: CaptureDevices = { cameras: [], microphones: [] };
  /** Why the last request failed. */
  error: CaptureError | undefined;
  /** Whether `close` was called after `open`. */
  wasClosed = false;

  constructor(config: CaptureConfig) {
    this.#config = config;
    this.#outgoing = new OutgoingStream({
      ...config,
      device: (kind) => this.#operations.tracks(kind)[0],
      shared: () => this.#given?.getTracks() ?? this.#operations.tracks('screen'),
      onMixError: (cause) => this.#fail(captureError(cause)),
    });
  }

  /** The stream that is sent while live. The same object as long as there is any media. */
  get media(): MediaStream | undefined {
    return this.#outgoing.media;
  }

  /** The track of this kind in `media`. */
  track(kind: TrackKind): MediaStreamTrack | undefined {
    return this.#outgoing.track(kind);
  }

  get isOpening(): boolean {
    return [...KINDS, 'screen' as const].some((kind) => this.state(kind).name === 'opening');
  }

  get isSharing(): boolean {
    return this.#operations.tracks('screen').some(({ kind, readyState }) => kind === 'video' && readyState === 'live');
  }

  /** Whether the preview is mirrored, like a mirror. A screen and the rear camera of a phone are not. */
  get isMirror(): boolean {
    const [camera] = this.#operations.tracks('video');
    return camera !== undefined && camera === this.track('video') && camera.getSettings().facingMode !== 'environment';
  }

  state(kind: CaptureKind): DeviceState {
    return this.#operations.state(kind);
  }

  loss(kind: CaptureKind): LossReason | undefined {
    const state = this.state(kind);
    return state.name === 'lost' ? state.reason : undefined;
  }

  /**
   * The track of the camera or the microphone while it works, whether or not it is sent now. While another device
   * opens, it is still the track of the current one.
   */
  device(kind: TrackKind): MediaStreamTrack | undefined {
    if (this.#given) return this.track(kind);
    const [track] = this.#operations.tracks(kind);
    return track?.readyState === 'live' || this.state(kind).name === 'opening' ? track : undefined;
  }

  isEnabled(kind: TrackKind): boolean {
    return this.device(kind)?.enabled ?? this.#enabled[kind];
  }

  /** Mutes or unmutes. The device stays open. This also applies to devices that open later. */
  enable(kind: TrackKind, isEnabled: boolean): void {
    this.#enabled[kind] = isEnabled;
    const track = this.device(kind);
    if (track) track.enabled = isEnabled;
    this.#config.onChange();
  }

  /** Mutes or unmutes an open device. Opens a device that is not open. */
  toggle(kind: TrackKind): void {
    const track = this.device(kind);
    this.enable(kind, !track?.enabled);
    if (!track) void this.choose(kind, '');
  }

  /** The id of the open device, or of the device to open. Empty: the browser's choice. */
  deviceId(kind: TrackKind): string {
    const state = this.state(kind);
    return (state.name === 'open' && state.deviceId) || this.#deviceIds[kind];
  }

  /** Sets the device to open. It replaces an open device. */
  setDeviceId(kind: TrackKind, deviceId: string): void {
    if (deviceId === this.deviceId(kind)) return;
    this.#deviceIds[kind] = deviceId;
    if (deviceId && this.state(kind).name !== 'closed') void this.choose(kind, deviceId);
  }

  /**
   * Opens camera and microphone, or those of them that were lost. Open devices do not change.
   *
   * @returns the reason if it failed
   */
  open(): Promise<CaptureError | undefined> {
    this.wasClosed = false;
    return (this.#opening ??= this.#open().finally(() => (this.#opening = undefined)));
  }

  /** Closes camera and microphone. A screen that is shared stays shared. */
  close(): void {
    this.wasClosed = true;
    for (const kind of KINDS) this.#operations.close(kind);
    void this.#apply();
  }

  /** Closes every device, and ends `media`. Tracks of the page are not stopped. */
  closeAll(): void {
    this.#closeDevices();
    this.#outgoing.close();
    this.#given = undefined;
  }

  /**
   * Opens a camera or a microphone, and replaces the current one.
   *
   * @param deviceId empty: the one that was chosen last, or else the browser's choice
   * @returns the reason if it failed
   */
  choose(kind: TrackKind, deviceId: string): Promise<CaptureError | undefined> {
    if (deviceId) this.#deviceIds[kind] = deviceId;
    const open = async (): Promise<MediaStream> => {
      const constraints = this.#config.constraints();
      const track = await (deviceId
        ? openTrack(kind, deviceId, constraints)
        : openPreferredDevice(kind, this.#deviceIds[kind], constraints));
      if (deviceId) savePreferredDevice(kind, deviceId);
      return new MediaStream([track]);
    };
    return this.#request([kind], open, deviceId);
  }

  /**
   * Sends a screen, a window or a tab instead of the camera, and mixes its sound with the microphone.
   *
   * @returns the reason if it failed
   */
  async shareScreen(): Promise<CaptureError | undefined> {
    // The prompt of the browser is already open.
    if (this.state('screen').name === 'opening') return undefined;
    return this.#request(['screen'], () => openScreen(this.#config.constraints()));
  }

  /** Sends the camera again. */
  stopScreen(): Promise<void> {
    this.#operations.close('screen');
    return this.#apply();
  }

  /** Applies changed constraints to the device of this kind. */
  constrain(kind: TrackKind): void {
    const state = this.state(kind);
    const device = this.device(kind);
    if (state.name === 'opening') void this.choose(kind, state.request.deviceId);
    else if (state.name === 'closed' || !device) return;
    // Browsers apply audio constraints only when they open a microphone.
    else if (kind === 'audio') void this.choose(kind, state.deviceId);
    else device.applyConstraints(videoConstraints(this.#config.constraints())).catch(() => {});
  }

  /** Sends media of the page instead of all devices. Undefined: devices that are opened later are sent again. */
  useGiven(given: MediaStream | undefined): void {
    if (given === this.#given) return;
    this.#closeDevices();
    this.#given = given;
    this.error = undefined;
    for (const track of given?.getTracks() ?? []) if (!this.#enabled[track.kind as TrackKind]) track.enabled = false;
    if (given) void this.#apply();
    else this.#end();
  }

  /** Updates the list of devices, and opens lost devices that are plugged in again. */
  async reopenLost(): Promise<void> {
    await this.#updateList();
    const { cameras, microphones } = this.devices;
    for (const kind of KINDS) {
      const state = this.state(kind);
      if (state.name !== 'lost' || state.reason !== 'lost' || !state.deviceId) continue;
      const isBack = [...cameras, ...microphones].some(({ deviceId }) => deviceId === state.deviceId);
      if (isBack) await this.choose(kind, state.deviceId);
    }
  }

  async #open(): Promise<CaptureError | undefined> {
    const open = (): Promise<MediaStream> => openPreferredDevices(this.#config.constraints(), this.#deviceIds);
    if (KINDS.every((kind) => this.state(kind).name === 'closed')) return this.#request(KINDS, open);
    const lost = KINDS.filter((kind) => this.loss(kind));
    const errors = await Promise.all(lost.map((kind) => this.choose(kind, '')));
    return errors.find((error) => error);
  }

  async #request(...request: Parameters<DeviceOperations['request']>): Promise<CaptureError | undefined> {
    if (!this.#config.mayOpen()) return undefined;
    this.error = undefined;
    if (this.loss('screen')) this.#operations.close('screen');
    const operation = this.#operations.request(...request);
    this.#config.onChange();
    const error = await operation.then(() => undefined, captureError);
    if (error) this.#fail(error);
    await this.#apply();
    await this.#updateList();
    return error;
  }

  #fail(error: CaptureError): void {
    this.error = error;
    this.#config.onError(error);
  }

  /** Updates `media`, or ends it if no device is open or opening. */
  async #apply(): Promise<void> {
    const isOver = !this.#given && !this.isSharing && KINDS.every((kind) => this.state(kind).name === 'closed');
    if (!isOver || this.isOpening) await this.#outgoing.apply();
    else if (this.media) this.#end();
    this.#config.onChange();
  }

  #end(): void {
    this.closeAll();
    this.#config.onKindsChange();
  }

  #closeDevices(): void {
    for (const kind of [...KINDS, 'screen'] as const) this.#operations.close(kind);
  }

  /** Without permission, browsers give no labels, so there is nothing to list. */
  async #updateList(): Promise<void> {
    if (!this.media || this.#given) return;
    const devices = await listDevices();
    if (JSON.stringify(devices) === JSON.stringify(this.devices)) return;
    this.devices = devices;
    this.#config.onChange();
  }
}
