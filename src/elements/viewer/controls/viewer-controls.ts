// Bundlers keep this order of the modules. Similar texts side by side compress better: `npm run bench -- bundle`.
import { html, nothing, type ReactiveController, type TemplateResult } from 'lit';
import { PresentationController } from '../playback/presentation-controller.js';
import { liveBadges } from './live-badges.js';
import { controlBar, type BarActions, type BarState } from './control-bar.js';
import { hotkeyOf, type Hotkey } from './hotkeys.js';
import { effectiveVolume, hasNoVideo, setVolume, togglePlay, toggleSound, type Player } from './player.js';
import { settingsMenu, type MenuActions } from './settings-menu.js';
import { UserActivityController } from './user-activity-controller.js';
import type { MessagesController } from '../../i18n/messages-controller.js';
import type { ViewerMessages } from '../../i18n/messages.js';
import type { Settings } from '../settings/settings.js';

const VOLUME_STEPS = 20;

/** The video of the recording, while the visitor sees it. */
type ShownRecording = () => HTMLVideoElement | undefined;

/** The controls over the picture. They are hidden while the visitor is inactive. */
export class ViewerControls implements ReactiveController {
  readonly #player: Player;
  readonly #video: HTMLVideoElement;
  readonly #messages: MessagesController<ViewerMessages>;
  readonly #recording: ShownRecording;
  readonly #presentation: PresentationController;
  readonly #activity: UserActivityController;
  #settings: Settings | undefined;
  #isMenuOpen = false;
  /** Whether the controls were hidden when the current touch began. */
  #wasHidden = false;
  /** The volume before the slider was dragged. Undefined while it is not dragged. */
  #volumeBefore: number | undefined;

  readonly #actions: BarActions & MenuActions & Record<Hotkey, () => void> = {
    play: () => togglePlay(this.#player),
    mute: () => toggleSound(this.#player),
    louder: () => this.#changeVolume(1),
    softer: () => this.#changeVolume(-1),
    slide: ({ currentTarget, type }) => {
      const slider = currentTarget as HTMLInputElement;
      const player = this.#player;
      this.#volumeBefore ??= player.volume;
      setVolume(player, slider.valueAsNumber);
      // Phones do not allow a page to set the volume: the slider shows the actual one.
      slider.value = String(effectiveVolume(player));
      if (type === 'input') return;
      // A slider that is dragged to 0 passes lower volumes. Unmuting restores the volume from before.
      if (player.muted) player.volume = this.#volumeBefore;
      this.#volumeBefore = undefined;
    },
    cast: () => this.#presentation.cast(),
    pictureInPicture: () => this.#presentation.togglePictureInPicture(),
    fullscreen: () => this.#presentation.toggleFullscreen(),
    reached: () => void this.#loadSettings().catch(() => {}),
    toggleMenu: () => {
      this.#actions.reached();
      this.#showMenu(!this.#isMenuOpen);
    },
    close: () => {
      this.#showMenu(false);
      this.#find('.settings button')?.focus();
    },
    left: ({ currentTarget, relatedTarget }) => {
      // A click on the picture closes the menu in its own handler, which must still find the menu open.
      const isElsewhere = relatedTarget instanceof Element && !(currentTarget as Element).contains(relatedTarget);
      if (isElsewhere && !relatedTarget.matches('.box')) this.#showMenu(false);
    },
  };

  constructor(
    player: Player,
    video: HTMLVideoElement,
    messages: MessagesController<ViewerMessages>,
    recording: ShownRecording,
  ) {
    this.#player = player;
    this.#video = video;
    this.#messages = messages;
    this.#recording = recording;
    this.#presentation = new PresentationController(player, video, recording);
    this.#activity = new UserActivityController(player);
    player.addEventListener('keydown', (event) => this.#onKey(event));
    player.addEventListener('pointerdown', (event) => this.#onPointer(event), true);
    player.addEventListener('touchend', (event) => this.#onLifted(event));
    player.addController(this);
  }

  hostDisconnected(): void {
    this.#showMenu(false);
  }

  /** Whether there is no picture to expect, in what the visitor sees. */
  get hasNoVideo(): boolean {
    return this.#recording() ? !this.#recording()!.videoWidth : hasNoVideo(this.#player);
  }

  /** Whether the controls are hidden because the visitor is inactive. Without video they hide nothing, and stay. */
  get isUserInactive(): boolean {
    const { controls, noAutohide, paused } = this.#player;
    const canHide = controls && !noAutohide && !paused && !this.hasNoVideo;
    return canHide && this.#activity.isInactive && !this.#isMenuOpen;
  }

  /** Focuses the play button, or the box around the picture where there are no controls. */
  focus(): void {
    (this.#find('.play') ?? this.#find('.box'))?.focus();
  }

  /** Handles a click on the picture. A touch shows the controls, and does nothing else. */
  onPicture({ pointerType, detail }: PointerEvent): void {
    if (this.#isMenuOpen) return this.#showMenu(false);
    if (pointerType === 'touch' || this.#player.gesturesDisabled) return;
    togglePlay(this.#player);
    // The second click of a double click undoes the pause of the first.
    if (detail === 2) this.#presentation.toggleFullscreen();
  }

  render(): TemplateResult | typeof nothing {
    const { controls, phase } = this.#player;
    const { name } = phase;
    // In these phases there is nothing to control but a recording.
    const isOver = name === 'idle' || name === 'rejected' || name === 'failed';
    if (!controls || (isOver && !this.#recording())) return nothing;
    const messages = this.#messages.current;
    const menu = this.#isMenuOpen ? this.#settings?.menu : undefined;
    return html`
      ${phase.name === 'live' && !phase.videoPaused && !phase.interrupted ? liveBadges(this.#messages, phase.viewers) : nothing}
      ${this.#settings?.statistics}
      ${controlBar(this.#bar, this.#presentation, messages, settingsMenu(this.#isMenuOpen, menu, messages, this.#actions), this.#actions)}
    `;
  }

  async #loadSettings(): Promise<void> {
    if (this.#settings) return;
    const { Settings } = await import('../settings/settings.js');
    this.#settings ??= new Settings(this.#player, this.#video, this.#messages);
    this.#player.requestUpdate();
  }

  get #bar(): BarState {
    const { phase, paused } = this.#player;
    const recording = this.#recording();
    const volume = effectiveVolume(this.#player);
    return {
      hasPicture: Boolean(recording) || phase.name === 'live',
      isPaused: paused,
      hasNoSound: !recording && phase.name === 'live' && phase.media.getAudioTracks().length === 0,
      volume,
      volumeText: this.#messages.number(volume, { style: 'percent' }),
    };
  }

  /** @param steps up, or down if negative */
  #changeVolume(steps: number): void {
    // Rounded, because a sum of many steps is not exactly 0.
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
    const { controls, noHotkeys } = this.#player;
    const target = event.composedPath()[0] as Element;
    // While Enter is held, the browser presses the focused button again and again.
    if (event.repeat && event.key === 'Enter' && target.matches('.bar button')) event.preventDefault();
    const hotkey = controls ? hotkeyOf(event, target) : undefined;
    // Escape closes the menu in any case: it is part of the menu.
    if (!hotkey || (hotkey === 'close' ? !this.#isMenuOpen : noHotkeys)) return;
    event.preventDefault();
    // A held arrow key keeps changing the volume. Any other key acts once.
    if (!event.repeat || event.key.startsWith('Arrow')) this.#actions[hotkey]();
  }

  /**
   * Runs before the touch shows the controls. VoiceOver reports touches of width 0: its users activate a button by its
   * label, so it has to act at once, visible or not.
   */
  #onPointer({ width }: PointerEvent): void {
    this.#volumeBefore = undefined;
    this.#wasHidden = width > 0 && Boolean(this.#find('.user-inactive:not(:has(:focus-visible))'));
  }

  /** A touch that shows the controls must not press one of them. */
  #onLifted(event: TouchEvent): void {
    const control = event.composedPath()[0] as Element;
    const isHidden = control.closest('.bar') && !control.matches('.from-beginning');
    if (this.#wasHidden && isHidden && event.cancelable) event.preventDefault();
  }
}
