import type { WordsController } from '../words/words-controller.js';
import type { ViewerWords } from '../words/words.js';
import { captions, qualities, type Choice } from './choices.js';
import { make, set } from './dom.js';
import type { Player } from './player.js';
import { SETTINGS } from './player-icons.js';
import { iconButton } from './icon-button.js';

/** A button, and what opens at it: qualities, captions, and whether to show statistics. */
export class SettingsMenu {
  readonly #player: Player;
  readonly #video: HTMLVideoElement;
  readonly #words: WordsController<ViewerWords>;
  readonly #button = iconButton('settings', SETTINGS, () => this.show(!this.isOpen));
  readonly #panel = make('div', { part: 'menu', className: 'panel', role: 'group', hidden: true });
  readonly element = make('span', { className: 'settings' }, this.#button, this.#panel);
  /** What the panel was built of. */
  #built = '';
  hasStatistics = false;

  constructor(player: Player, video: HTMLVideoElement, words: WordsController<ViewerWords>) {
    this.#player = player;
    this.#video = video;
    this.#words = words;
    this.element.addEventListener('focusout', (event) => this.#onLeft(event));
  }

  get isOpen(): boolean {
    return !this.#panel.hidden;
  }

  show(isOpen: boolean): void {
    this.#panel.hidden = !isOpen;
    this.#player.requestUpdate();
  }

  /** By the key for it: whoever was inside is back at the button. */
  leave(): void {
    this.show(false);
    this.#button.focus();
  }

  update(): void {
    const words = this.#words.current;
    const { settings } = words;
    set(this.#button, { ariaLabel: settings, title: settings, ariaExpanded: String(this.isOpen) });
    if (!this.isOpen) return;
    const { layers, quality } = this.#player;
    const groups: readonly (readonly [string, readonly Choice[]])[] = [
      [words.quality, qualities(words, layers, Number(quality) || 0, (chosen) => (this.#player.quality = chosen))],
      [words.captions, captions(words, this.#video)],
    ];
    // Built anew only for other choices: whoever has the focus on one keeps it.
    const wanted = JSON.stringify([words.statistics, groups.map(([, choices]) => choices.map(({ label }) => label))]);
    if (this.#built !== wanted) {
      this.#built = wanted;
      set(this.#panel, { ariaLabel: settings });
      this.#panel.replaceChildren(
        ...groups.filter(([, choices]) => choices.length > 0).map(([name, choices]) => group(name, choices)),
        option('checkbox', words.statistics, () => {
          this.hasStatistics = !this.hasStatistics;
          this.#player.requestUpdate();
        }),
      );
    }
    const chosen = [...groups.flatMap(([, choices]) => choices.map(({ isChosen }) => isChosen)), this.hasStatistics];
    this.#panel.querySelectorAll('input').forEach((input, index) => set(input, { checked: chosen[index]! }));
  }

  #onLeft({ relatedTarget }: FocusEvent): void {
    // A click on the picture closes the menu too, and must know that it was open.
    if (relatedTarget instanceof Element && !this.element.contains(relatedTarget) && !relatedTarget.matches('.box'))
      this.show(false);
  }
}

/** Radio buttons: they bring the keys, the roles and the look on every system with them. */
function group(name: string, choices: readonly Choice[]): HTMLElement {
  return make(
    'fieldset',
    {},
    make('legend', {}, name),
    ...choices.map(({ label, choose }) => option('radio', label, choose, name)),
  );
}

function option(type: string, label: string, onchange: () => void, name = ''): HTMLElement {
  return make('label', {}, make('input', { type, name, onchange }), label);
}
