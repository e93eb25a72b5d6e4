import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { captureAllowed, type CaptureConstraints } from '../../../client/broadcaster/capture.js';
import type { TrackKind } from '../../../client/viewer/sources.js';
import { Capture, type CaptureConfig } from './capture.js';

export interface CaptureControllerConfig extends Omit<CaptureConfig, 'mayOpen' | 'onChange'> {
  /** Media of the page that replaces all devices. Undefined: the devices are used. */
  readonly given: () => MediaStream | undefined;
  /** Whether camera and microphone open without a call of `open` if permission is stored. */
  readonly opensByItself: () => boolean;
}

/** Ties camera, microphone and screen to the life of the host: they are closed when the host is removed. */
export class CaptureController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #config: CaptureControllerConfig;
  /** Aborts when the host is removed for good. Undefined while the host is not in a page. */
  #connection: AbortController | undefined;
  #constraints: CaptureConstraints | undefined;

  readonly capture: Capture;

  constructor(host: ReactiveControllerHost & HTMLElement, config: CaptureControllerConfig) {
    this.#host = host;
    this.#config = config;
    this.capture = new Capture({
      ...config,
      mayOpen: () => this.#connection !== undefined && !config.given(),
      onChange: () => host.requestUpdate(),
    });
    host.addController(this);
  }

  hostConnected(): void {
    // The host was only moved within the page.
    if (this.#connection) return;
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    const devices = navigator.mediaDevices as MediaDevices | undefined;
    devices?.addEventListener('devicechange', () => void this.capture.reopenLost(), { signal });
    void this.#openIfAllowed();
  }

  hostUpdate(): void {
    if (!this.#connection) return;
    this.capture.useGiven(this.#config.given());
    const constraints = this.#config.constraints();
    const changed = changedConstraints(this.#constraints ?? constraints, constraints);
    this.#constraints = constraints;
    for (const kind of changed) this.capture.constrain(kind);
  }

  hostDisconnected(): void {
    // A host that is moved is connected again before this runs.
    queueMicrotask(() => {
      if (this.#host.isConnected) return;
      this.#connection?.abort();
      this.#connection = undefined;
      this.capture.closeAll();
      this.#host.requestUpdate();
    });
  }

  async #openIfAllowed(): Promise<void> {
    const isAllowed = await captureAllowed();
    const { error, wasClosed } = this.capture;
    // After an error, the person decides whether to try again.
    if (isAllowed && !error && !wasClosed && this.#config.opensByItself()) await this.capture.open();
  }
}

const CONSTRAINTS = {
  video: ['height', 'frameRate'],
  audio: ['echoCancellation', 'noiseSuppression', 'autoGainControl'],
} as const;

/** The kinds of devices whose constraints have changed. */
function changedConstraints(before: CaptureConstraints, now: CaptureConstraints): readonly TrackKind[] {
  return (['video', 'audio'] as const).filter((kind) => CONSTRAINTS[kind].some((name) => before[name] !== now[name]));
}
