import { html, nothing, type ReactiveController, type TemplateResult } from 'lit';
import { StatsController } from '../../stats/stats-controller.js';
import type { MessagesController } from '../../i18n/messages-controller.js';
import type { ViewerMessages } from '../../i18n/messages.js';
import { captionChoices, heightOf, qualityChoices } from './menu-choices.js';
import { controlBar, type BarActions, type BarState } from './control-bar.js';
import {
  inboundStatsBetween,
  readInboundSample,
  type InboundStats,
  type InboundSample,
} from '../../stats/inbound-stats.js';
import { statsPanel } from '../../stats/stats-panel.js';
import { inboundStatsRows, formatMilliseconds } from '../../stats/stats-rows.js';
import { UserActivityController } from './user-activity-controller.js';
import { liveBadges } from './live-badges.js';
import { effectiveVolume, setVolume, togglePlay, toggleSound, type Player } from './player.js';
import { PresentationController } from '../playback/presentation-controller.js';
import { settingsMenu, type MenuActions, type MenuState } from './settings-menu.js';
import { hotkeyOf, type Hotkey } from './hotkeys.js';

const VOLUME_STEPS = 20;

/** What lies over the picture for people to use: it goes when nobody needs it, and comes back at a move, a touch or a key. */
export class ViewerControls implements ReactiveController {
  readonly #player: Player;
  readonly #video: HTMLVideoElement;
  readonly #messages: MessagesController<ViewerMessages>;
  readonly #screens: PresentationController;
  readonly #idle: UserActivityController;
  readonly #figures: StatsController<InboundSample, InboundStats>;
  #isMenuOpen = false;
  #hasStatistics = false;
  /** Whether nobody could see the controls when the finger came that is there. */
  #wasHidden = false;
  /** While the slider is dragged: from where. */
  #volumeBefore: number | undefined;

  /** What its buttons and keys do. */
  readonly #acts: BarActions & MenuActions & Record<Hotkey, () => void> = {
    play: () => togglePlay(this.#player),
    mute: () => toggleSound(this.#player),
    louder: () => this.#turn(1),
    softer: () => this.#turn(-1),
    slide: ({ currentTarget, type }) => {
      const slider = currentTarget as HTMLInputElement;
      const player = this.#player;
      this.#volumeBefore ??= player.volume;
      setVolume(player, slider.valueAsNumber);
      // Another than was asked for, where the volume is the device's alone.
      slider.value = String(effectiveVolume(player));
      if (type === 'input') return;
      // Dragged to nothing it went by every volume there is: what counts is the one that it came from.
      if (player.muted) player.volume = this.#volumeBefore;
      this.#volumeBefore = undefined;
    },
    cast: () => this.#screens.cast(),
    pictureInPicture: () => this.#screens.togglePictureInPicture(),
    fullscreen: () => this.#screens.toggleFullscreen(),
    touched: (event) => {
      // No click comes of it then.
      if (this.#wasHidden && event.cancelable) event.preventDefault();
    },
    toggleMenu: () => this.#showMenu(!this.#isMenuOpen),
    // Whoever was inside is back at the button.
    close: () => {
      this.#showMenu(false);
      this.#find('.settings button')?.focus();
    },
    toggleStatistics: () => (this.#hasStatistics = !this.#hasStatistics),
    chosen: () => this.#player.requestUpdate(),
    left: ({ currentTarget, relatedTarget }) => {
      // A click on the picture closes the menu too, and must know that it was open.
      const isElsewhere = relatedTarget instanceof Element && !(currentTarget as Element).contains(relatedTarget);
      if (isElsewhere && !relatedTarget.matches('.box')) this.#showMenu(false);
    },
  };

  constructor(player: Player, video: HTMLVideoElement, messages: MessagesController<ViewerMessages>) {
    this.#player = player;
    this.#video = video;
    this.#messages = messages;
    this.#screens = new PresentationController(player, video);
    this.#idle = new UserActivityController(player);
    this.#figures = new StatsController(
      player,
      {
        getStats: () => player.getStats(),
        isWanted: () =>
          player.controls && player.phase.name === 'live' && (this.#hasStatistics || !this.isUserInactive),
      },
      readInboundSample,
      inboundStatsBetween,
    );
    player.addEventListener('keydown', (event) => this.#onKey(event));
    player.addEventListener('pointerdown', (event) => this.#onPointer(event), true);
    player.addController(this);
  }

  hostDisconnected(): void {
    this.#showMenu(false);
  }

  /** Whether nobody needs them now. */
  get isUserInactive(): boolean {
    return this.#player.controls && this.#idle.isInactive && !this.#isMenuOpen && !this.#player.paused;
  }

  /** Takes the focus, or gives it to the box around the picture where there are no controls now. */
  focus(): void {
    (this.#find('.play') ?? this.#find('.box'))?.focus();
  }

  /** What a click on the picture does: of the mouse. A finger has brought the controls with its touch. */
  onPicture({ pointerType, detail }: PointerEvent): void {
    if (this.#isMenuOpen) return this.#showMenu(false);
    if (pointerType === 'touch') return;
    togglePlay(this.#player);
    // The second click undoes what the first did.
    if (detail === 2) this.#screens.toggleFullscreen();
  }

  render(): TemplateResult | typeof nothing {
    const { controls, phase } = this.#player;
    // Where nothing runs there is nothing to control.
    if (!controls || phase.name === 'idle' || phase.name === 'rejected' || phase.name === 'failed') return nothing;
    const messages = this.#messages.current;
    const { current: figures } = this.#figures;
    const write = this.#messages.number.bind(this.#messages);
    return html`
      ${phase.name === 'live' ? liveBadges(this.#messages, phase.viewers, formatMilliseconds(write, figures?.latency)) : nothing}
      ${this.#hasStatistics ? statsPanel(inboundStatsRows(messages, write, figures)) : nothing}
      ${controlBar(this.#bar, messages, settingsMenu(this.#menu, messages, this.#acts), this.#acts)}
    `;
  }

  get #bar(): BarState {
    const { phase, paused } = this.#player;
    const screens = this.#screens;
    const isLive = phase.name === 'live';
    const volume = effectiveVolume(this.#player);
    return {
      isPaused: paused,
      isMuted: volume === 0,
      isSilent: isLive && phase.media.getAudioTracks().length === 0,
      volume,
      volumeText: this.#messages.number(volume, { style: 'percent' }),
      canCast: screens.canCast,
      canPictureInPicture: isLive && screens.canPictureInPicture,
      isInPicture: screens.isInPicture,
      canFullscreen: screens.canFullscreen,
      isFullscreen: screens.isFullscreen,
    };
  }

  get #menu(): MenuState {
    const player = this.#player;
    const messages = this.#messages.current;
    return {
      isOpen: this.#isMenuOpen,
      hasStatistics: this.#hasStatistics,
      groups: [
        [
          messages.quality,
          qualityChoices(messages, player.layers, heightOf(player.quality), (one) => (player.quality = one)),
        ],
        [messages.captions, captionChoices(messages, this.#video)],
      ],
    };
  }

  /** @param steps up, or down where it is negative */
  #turn(steps: number): void {
    // Sums of steps miss the 0 by very little.
    setVolume(this.#player, Math.round(effectiveVolume(this.#player) * VOLUME_STEPS + steps) / VOLUME_STEPS);
  }

  #showMenu(isOpen: boolean): void {
    this.#isMenuOpen = isOpen;
    this.#player.requestUpdate();
  }

  #find(selectors: string): HTMLElement | null | undefined {
    return this.#player.shadowRoot?.querySelector<HTMLElement>(selectors);
  }

  #onKey(event: KeyboardEvent): void {
    const target = event.composedPath()[0] as Element;
    // A button that has the focus is pressed again and again while Enter is held.
    if (event.repeat && event.key === 'Enter' && target.matches('.bar button')) event.preventDefault();
    const shortcut = this.#player.controls && hotkeyOf(event, target);
    if (!shortcut || (shortcut === 'close' && !this.#isMenuOpen)) return;
    event.preventDefault();
    // A key that is held goes on turning the volume, and does everything else once.
    if (!event.repeat || event.key.startsWith('Arrow')) this.#acts[shortcut]();
  }

  /**
   * Runs before anything shows the controls. VoiceOver reports touches of width 0: its users choose a button by its name,
   * seen or not, and it must act.
   */
  #onPointer({ width }: PointerEvent): void {
    this.#volumeBefore = undefined;
    this.#wasHidden = width > 0 && Boolean(this.#find('.quiet:not(:has(:focus-visible))'));
  }
}
