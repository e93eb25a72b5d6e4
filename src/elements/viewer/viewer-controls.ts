import type { ReactiveController } from 'lit';
import type { WordsController } from '../words/words-controller.js';
import type { ViewerWords } from '../words/words.js';
import { ControlBar } from './control-bar.js';
import { make, set } from './dom.js';
import { FiguresController } from './figures-controller.js';
import { figureRows, milliseconds } from './figures-text.js';
import { IdleController } from './idle-controller.js';
import { LiveBadges } from './live-badges.js';
import { heardVolume, setVolume, togglePlay, toggleSound, type Player } from './player.js';
import { Screens } from './screens.js';
import { SettingsMenu } from './settings-menu.js';
import { shortcutOf } from './shortcuts.js';

const VOLUME_STEP = 0.05;

/** What lies over the picture for people to use: it goes when nobody needs it, and comes back at a move, a touch or a key. */
export class ViewerControls implements ReactiveController {
  readonly #player: Player;
  readonly #words: WordsController<ViewerWords>;
  readonly #screens: Screens;
  readonly #idle: IdleController;
  readonly #figures: FiguresController;
  readonly #menu: SettingsMenu;
  readonly #bar: ControlBar;
  readonly #badges = new LiveBadges();
  readonly #statistics = make('dl', { part: 'statistics', className: 'panel' });
  readonly element: HTMLElement;

  constructor(player: Player, video: HTMLVideoElement, words: WordsController<ViewerWords>) {
    this.#player = player;
    this.#words = words;
    this.#screens = new Screens(player, video);
    this.#idle = new IdleController(player);
    this.#figures = new FiguresController(
      player,
      () => player.getStats(),
      () => player.controls && player.phase.name === 'live' && (this.#menu.hasStatistics || !this.isQuiet),
    );
    this.#menu = new SettingsMenu(player, video, words);
    this.#bar = new ControlBar(player, this.#screens, this.#menu, words);
    this.element = make('div', {}, this.#badges.element, this.#statistics, this.#bar.element);
    player.addEventListener('keydown', (event) => this.#onKey(event));
    player.addController(this);
  }

  hostDisconnected(): void {
    this.#menu.show(false);
  }

  /** Whether nobody needs them now. */
  get isQuiet(): boolean {
    return this.#player.controls && this.#idle.isIdle && !this.#menu.isOpen && !this.#player.paused;
  }

  focus(): void {
    this.#bar.focus();
  }

  /** What a click on the picture does: of the mouse. A finger has brought the controls with its touch. */
  onPicture({ pointerType, detail }: PointerEvent): void {
    if (this.#menu.isOpen) return this.#menu.show(false);
    if (pointerType === 'touch') return;
    togglePlay(this.#player);
    // The second click undoes what the first did.
    if (detail === 2) this.#screens.toggleFullscreen();
  }

  update(): void {
    const { controls, phase } = this.#player;
    // Where nothing runs there is nothing to control.
    const isShown = controls && phase.name !== 'idle' && phase.name !== 'rejected' && phase.name !== 'failed';
    set(this.element, { hidden: !isShown });
    if (!isShown) return;
    const isLive = phase.name === 'live';
    const { current: figures } = this.#figures;
    const write = this.#words.number.bind(this.#words);
    this.#badges.element.hidden = !isLive;
    if (isLive) this.#badges.update(this.#words, phase.viewers, milliseconds(write, figures?.latency));
    this.#statistics.hidden = !this.#menu.hasStatistics;
    if (this.#menu.hasStatistics) {
      const rows = figureRows(this.#words.current, write, figures);
      this.#statistics.replaceChildren(
        ...rows.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value || '–')]),
      );
    }
    this.#menu.update();
    this.#bar.update();
  }

  #onKey(event: KeyboardEvent): void {
    const player = this.#player;
    const shortcut = player.controls && shortcutOf(event, event.composedPath()[0] as Element);
    if (!shortcut || (shortcut === 'close' && !this.#menu.isOpen)) return;
    event.preventDefault();
    const acts = {
      play: () => togglePlay(player),
      mute: () => toggleSound(player),
      fullscreen: () => this.#screens.toggleFullscreen(),
      pictureInPicture: () => this.#screens.togglePictureInPicture(),
      louder: () => setVolume(player, heardVolume(player) + VOLUME_STEP),
      softer: () => setVolume(player, heardVolume(player) - VOLUME_STEP),
      close: () => this.#menu.leave(),
    };
    acts[shortcut]();
  }
}
