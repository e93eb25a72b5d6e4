import { html, type TemplateResult } from 'lit';
import type { ViewerMessages } from '../../i18n/messages.js';
import { iconButton } from './icon-button.js';
import * as icons from './control-icons.js';

export interface BarState {
  readonly isPaused: boolean;
  readonly isMuted: boolean;
  /** Whether there is no sound in what comes. */
  readonly isSilent: boolean;
  /** What is heard, 0 to 1. */
  readonly volume: number;
  /** The same, as it is written. */
  readonly volumeText: string;
  readonly canCast: boolean;
  readonly canPictureInPicture: boolean;
  readonly isInPicture: boolean;
  readonly canFullscreen: boolean;
  readonly isFullscreen: boolean;
}

export interface BarActions {
  play(): void;
  mute(): void;
  /** Takes the volume that the slider says, and says in it what came of that. */
  slide(event: Event): void;
  cast(): void;
  pictureInPicture(): void;
  fullscreen(): void;
  /** A finger left the bar. */
  touched(event: TouchEvent): void;
}

/** The bar with the buttons. */
export function controlBar(
  bar: BarState,
  messages: ViewerMessages,
  settings: TemplateResult,
  { play, mute, slide, cast, pictureInPicture, fullscreen, touched }: BarActions,
): TemplateResult {
  return html`
    <div part="controls" class="bar bottom" @touchend=${touched}>
      ${iconButton({
        name: 'play',
        path: bar.isPaused ? icons.PLAY : icons.PAUSE,
        label: bar.isPaused ? messages.play : messages.pause,
        act: play,
      })}
      ${iconButton({
        name: 'mute',
        path: bar.isMuted ? icons.MUTED : icons.SOUND,
        label: bar.isMuted ? messages.unmute : messages.mute,
        act: mute,
        isHidden: bar.isSilent,
      })}
      <input
        type="range"
        part="volume"
        max="1"
        step="0.05"
        aria-label=${messages.volume}
        aria-valuetext=${bar.volumeText}
        ?hidden=${bar.isSilent}
        .value=${String(bar.volume)}
        @input=${slide}
        @change=${slide}
      />
      <span class="grow"></span>
      ${iconButton({ name: 'cast', path: icons.CAST, label: messages.cast, act: cast, isHidden: !bar.canCast })}
      ${iconButton({
        name: 'pip',
        path: icons.PICTURE_IN_PICTURE,
        label: bar.isInPicture ? messages.leavePictureInPicture : messages.pictureInPicture,
        act: pictureInPicture,
        isHidden: !bar.canPictureInPicture,
      })}
      ${settings}
      ${iconButton({
        name: 'fullscreen',
        path: bar.isFullscreen ? icons.LEAVE_FULLSCREEN : icons.FULLSCREEN,
        label: bar.isFullscreen ? messages.leaveFullscreen : messages.fullscreen,
        act: fullscreen,
        isHidden: !bar.canFullscreen,
      })}
    </div>
  `;
}
