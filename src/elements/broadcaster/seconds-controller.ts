import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Updates its host once a second for as long as `isCounting` says so. */
export class SecondsController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #isCounting: () => boolean;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(host: ReactiveControllerHost, isCounting: () => boolean) {
    this.#host = host;
    this.#isCounting = isCounting;
  }

  hostUpdated(): void {
    if (!this.#isCounting()) this.hostDisconnected();
    else this.#timer ??= setInterval(() => this.#host.requestUpdate(), 1000);
  }

  hostDisconnected(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** `0:07`, `12:34`, `1:02:03`. */
export function clockTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number): string => String(value % 60).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}:${two(seconds)}` : `${Math.floor(minutes / 60)}:${two(minutes)}:${two(seconds)}`;
}
