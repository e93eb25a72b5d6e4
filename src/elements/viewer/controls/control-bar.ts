import { html, type TemplateResult } from 'lit';
import type { ViewerMessages } from '../../i18n/messages.js';
import type { PresentationController } from '../playback/presentation-controller.js';
import * as icons from '../../icons.js';
import { iconButton } from './icon-button.js';

/** The state of the player that the bar shows. */
export interface BarState {
  readonly isLive: boolean;
  readonly isPaused: boolean;
  readonly isMuted: boolean;
  /** Whether the stream has no audio. */
  readonly hasNoSound: boolean;
  /** The audible volume, 0 to 1. */
  readonly volume: number;
  /** The volume in the language of the visitor. */
  readonly volumeText: string;
}

export interface BarActions {
  play(): void;
  mute(): void;
  /** Sets the volume of the slider, and the slider to the volume that resulted. */
  slide(event: Event): void;
  cast(): void;
  pictureInPicture(): void;
  fullscreen(): void;
  /** A finger was lifted from the bar. */
  touched(event: TouchEvent): void;
}

/** The bar with the buttons. */
export function controlBar(
  bar: BarState,
  presentation: PresentationController,
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
        isHidden: bar.hasNoSound,
      })}
      <input
        type="range"
        part="volume"
        max="1"
        step="0.05"
        aria-label=${messages.volume}
        aria-valuetext=${bar.volumeText}
        ?hidden=${bar.hasNoSound}
        .value=${String(bar.volume)}
        @input=${slide}
        @change=${slide}
      />
      <span class="grow"></span>
      ${iconButton({ name: 'cast', path: icons.CAST, label: messages.cast, act: cast, isHidden: !presentation.canCast })}
      ${iconButton({
        name: 'pip',
        path: icons.PICTURE_IN_PICTURE,
        label: presentation.isPictureInPicture ? messages.leavePictureInPicture : messages.pictureInPicture,
        act: pictureInPicture,
        isHidden: !(bar.isLive && presentation.canPictureInPicture),
      })}
      ${settings}
      ${iconButton({
        name: 'fullscreen',
        path: presentation.isFullscreen ? icons.LEAVE_FULLSCREEN : icons.FULLSCREEN,
        label: presentation.isFullscreen ? messages.leaveFullscreen : messages.fullscreen,
        act: fullscreen,
        isHidden: !presentation.canFullscreen,
      })}
    </div>
  `;
}
