import { html, type TemplateResult } from 'lit';
import type { ViewerMessages } from '../../i18n/messages.js';
import type { PresentationController } from '../playback/presentation-controller.js';
import * as icons from '../../icons.js';
import { iconButton } from './icon-button.js';

/** The state of the player that the bar shows. */
export interface BarState {
  /** Whether there is a picture that can have a window of its own. */
  readonly hasPicture: boolean;
  readonly isPaused: boolean;
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
}

/** The bar with the buttons. */
export function controlBar(
  bar: BarState,
  presentation: PresentationController,
  messages: ViewerMessages,
  settings: TemplateResult,
  { play, mute, slide, cast, pictureInPicture, fullscreen }: BarActions,
): TemplateResult {
  return html`
    <div part="controls" class="bar bottom">
      ${iconButton({
        name: 'play',
        face: bar.isPaused ? [icons.PLAY, messages.play] : [icons.PAUSE, messages.pause],
        act: play,
      })}
      ${iconButton({
        name: 'mute',
        face: bar.volume ? [icons.SOUND, messages.mute] : [icons.MUTED, messages.unmute],
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
      ${iconButton({ name: 'cast', face: [icons.CAST, messages.cast], act: cast, isHidden: !presentation.canCast })}
      ${iconButton({
        name: 'pip',
        face: [
          icons.PICTURE_IN_PICTURE,
          presentation.isPictureInPicture ? messages.leavePictureInPicture : messages.pictureInPicture,
        ],
        act: pictureInPicture,
        isHidden: !(bar.hasPicture && presentation.canPictureInPicture),
      })}
      ${settings}
      ${iconButton({
        name: 'fullscreen',
        face: presentation.isFullscreen
          ? [icons.LEAVE_FULLSCREEN, messages.leaveFullscreen]
          : [icons.FULLSCREEN, messages.fullscreen],
        act: fullscreen,
        isHidden: !presentation.canFullscreen,
      })}
    </div>
  `;
}
