import { make } from './dom.js';
import type { Status } from './viewer-status.js';

const LOOKS = { cover: 'cover', clear: 'cover clear', notice: 'bar top', told: 'told' };

/** What is said about the picture, for eyes and, as it changes, for ears. */
export class StatusArea {
  readonly #retry: () => void;
  readonly element = make('div', { role: 'status' });
  /** What it was built of: said again, it would be heard again. */
  #built = '';

  constructor(retry: () => void) {
    this.#retry = retry;
  }

  /** @param tryAgain on the button, where there is one */
  update(status: Status, tryAgain: string): void {
    const wanted = JSON.stringify([status, tryAgain]);
    if (this.#built === wanted) return;
    this.#built = wanted;
    const { look, title = '', next, isBusy, canRetry, slot } = status;
    const parts: Node[] = [];
    // What turns is for eyes alone, and the picture to come for itself.
    if (isBusy) parts.push(make('i', { className: 'spinner' }));
    parts.push(make('b', { className: look === 'clear' ? 'told' : '' }, title));
    if (next) parts.push(make('span', {}, next));
    if (canRetry) {
      const onclick = this.#retry;
      parts.push(make('button', { type: 'button', part: 'button', className: 'text bright', onclick }, tryAgain));
    }
    const content = look === 'notice' ? [make('span', { className: 'badge' }, ...parts)] : parts;
    this.element.replaceChildren(
      make(
        'div',
        { part: look === 'cover' || look === 'clear' ? 'cover' : '', className: LOOKS[look] },
        ...(slot ? [make('slot', { name: slot }, ...content)] : content),
      ),
    );
  }
}
