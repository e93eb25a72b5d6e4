import { after } from '../faults/timers.js';

/** Whoever is back sooner, such as a broadcaster who moves to another server, was not lost for anybody. */
const TELL_AFTER_MS = 1_000;
/** Seconds without any packet after which the media has stopped. Muted publishers send silence and black pictures. */
const SILENT_S = 2;
/** And while the websocket of the publisher is lost. A lost websocket alone says nothing: the media may go on. */
const SILENT_IF_LOST_S = 1;

/** Whether the media of a live source has stopped and may come back. */
export class Interruption {
  #holds = false;
  #silence = 0;
  #timer: NodeJS.Timeout | undefined;

  get holds(): boolean {
    return this.#holds;
  }

  /** The media has stopped. @param onHolds called if it does not come back at once */
  begin(onHolds: () => void): void {
    if (this.#holds) return;
    this.#timer ??= after('streams', TELL_AFTER_MS, () => {
      this.#timer = undefined;
      this.#holds = true;
      onHolds();
    }).unref();
  }

  /** Another server says that the media has stopped. */
  hold(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#holds = true;
  }

  /** The media is back, or the source has ended. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#holds = false;
    this.#silence = 0;
  }

  /** @param packets that arrived in the last second @param isLost whether the websocket of the publisher is lost */
  heard(packets: number, isLost: boolean): void {
    if (packets > 0) return this.end();
    this.#silence += 1;
    if (this.#silence >= (isLost ? SILENT_IF_LOST_S : SILENT_S)) this.#holds = true;
  }
}
