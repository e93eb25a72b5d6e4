import type { WordsController } from '../words/words-controller.js';
import type { ViewerWords } from '../words/words.js';
import { icon, make, set } from './dom.js';
import { EYE } from './player-icons.js';

/** That it is live, how many watch, and how far behind this picture is. */
export class LiveBadges {
  readonly #live = make('span', { part: 'badge', className: 'badge live', ariaHidden: 'true' });
  readonly #viewers = make('span', { part: 'viewers', className: 'badge', role: 'img' });
  readonly #count = make('span');
  readonly #latency = make('span', { part: 'latency', className: 'badge' });
  readonly element = make('div', { className: 'bar top' }, this.#live, this.#viewers, this.#latency);

  constructor() {
    this.#viewers.append(icon(EYE), this.#count);
  }

  /** @param latency as it is written; empty: not known */
  update(words: WordsController<ViewerWords>, viewers: number | undefined, latency: string): void {
    const said = words.current;
    set(this.#live, { textContent: said.live });
    const shown = words.number(viewers ?? 0);
    set(this.#viewers, { hidden: viewers === undefined, ariaLabel: said.watching(viewers ?? 0, shown) });
    set(this.#count, { textContent: shown });
    set(this.#latency, { hidden: !latency, textContent: latency, title: said.latency });
  }
}
