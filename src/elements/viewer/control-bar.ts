import type { WordsController } from '../words/words-controller.js';
import type { ViewerWords } from '../words/words.js';
import { make, set } from './dom.js';
import { iconButton, setButton } from './icon-button.js';
import { heardVolume, setVolume, togglePlay, toggleSound, type Player } from './player.js';
import * as icons from './player-icons.js';
import type { Screens } from './screens.js';
import type { SettingsMenu } from './settings-menu.js';

/** The bar with the buttons. */
export class ControlBar {
  readonly #player: Player;
  readonly #screens: Screens;
  readonly #words: WordsController<ViewerWords>;
  readonly #play = iconButton('play', icons.PLAY, () => togglePlay(this.#player));
  readonly #mute = iconButton('mute', icons.SOUND, () => toggleSound(this.#player));
  readonly #volume = make('input', { type: 'range', part: 'volume', max: '1', step: '0.05' });
  readonly #cast = iconButton('cast', icons.CAST, () => this.#screens.cast());
  readonly #pip = iconButton('pip', icons.PICTURE_IN_PICTURE, () => this.#screens.togglePictureInPicture());
  readonly #fullscreen = iconButton('fullscreen', icons.FULLSCREEN, () => this.#screens.toggleFullscreen());
  readonly element: HTMLElement;

  constructor(player: Player, screens: Screens, menu: SettingsMenu, words: WordsController<ViewerWords>) {
    this.#player = player;
    this.#screens = screens;
    this.#words = words;
    this.#volume.addEventListener('input', () => setVolume(player, this.#volume.valueAsNumber));
    this.element = make(
      'div',
      { part: 'controls', className: 'bar bottom' },
      this.#play,
      this.#mute,
      this.#volume,
      make('span', { className: 'grow' }),
      this.#cast,
      this.#pip,
      menu.element,
      this.#fullscreen,
    );
  }

  focus(): void {
    this.#play.focus();
  }

  update(): void {
    const { phase, paused, muted } = this.#player;
    const words = this.#words.current;
    const screens = this.#screens;
    const heard = heardVolume(this.#player);
    const isLive = phase.name === 'live';
    const isSilent = isLive && phase.media.getAudioTracks().length === 0;
    setButton(this.#play, paused ? words.play : words.pause, paused ? icons.PLAY : icons.PAUSE);
    setButton(this.#mute, muted ? words.unmute : words.mute, muted ? icons.MUTED : icons.SOUND);
    setButton(this.#cast, words.cast);
    setButton(this.#pip, screens.isInPicture ? words.leavePictureInPicture : words.pictureInPicture);
    setButton(
      this.#fullscreen,
      screens.isFullscreen ? words.leaveFullscreen : words.fullscreen,
      screens.isFullscreen ? icons.LEAVE_FULLSCREEN : icons.FULLSCREEN,
    );
    set(this.#mute, { hidden: isSilent });
    set(this.#volume, {
      hidden: isSilent,
      value: String(heard),
      ariaLabel: words.volume,
      ariaValueText: this.#words.number(heard, { style: 'percent' }),
    });
    set(this.#cast, { hidden: !screens.canCast });
    set(this.#pip, { hidden: !isLive || !screens.canPictureInPicture });
    set(this.#fullscreen, { hidden: !screens.canFullscreen });
  }
}
