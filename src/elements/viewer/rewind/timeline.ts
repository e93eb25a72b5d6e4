import { html, nothing, type TemplateResult } from 'lit';
import type { MessagesController } from '../../i18n/messages-controller.js';
import type { RewindMessages, ViewerMessages } from '../../i18n/messages.js';

export const SPEEDS = [1, 1.5, 2] as const;

/** In the language of the visitor. */
export type RewindText = MessagesController<ViewerMessages & RewindMessages>;

/** What the timeline shows. */
export interface TimelineState {
  /** In seconds: of the picture, and of the whole recording. */
  readonly time: number;
  readonly length: number;
  /** The time in figures, and in words for screen readers. */
  readonly shown: string;
  readonly spoken: string;
  readonly isLive: boolean;
  /** Whether the recording is visible, or loading. */
  readonly isBehind: boolean;
  readonly isLoading: boolean;
  readonly speed: number;
}

export interface TimelineActions {
  /** @param time in seconds */
  seek(time: number): void;
  setSpeed(speed: number): void;
  goLive(): void;
}

/** Where the picture is in the recording, and the way back to live. */
export function timeline(
  { time, length, shown, spoken, isLive, isBehind, isLoading, speed }: TimelineState,
  text: RewindText,
  { seek, setSpeed, goLive }: TimelineActions,
): TemplateResult {
  const messages = text.current;
  return html`<div part="timeline" class="bar timeline">
    <input
      type="range"
      part="timeline-slider"
      step="1"
      max=${Math.max(1, Math.floor(length))}
      aria-label=${messages.timeline}
      aria-valuetext=${spoken}
      .value=${String(Math.floor(time))}
      @change=${({ currentTarget }: Event) => seek((currentTarget as HTMLInputElement).valueAsNumber)}
    />
    <span part="timeline-time" class="time" aria-hidden="true">${shown}</span>
    ${
      isBehind
        ? html`<select
            part="speed"
            aria-label=${messages.speed}
            @change=${({ currentTarget }: Event) => setSpeed(Number((currentTarget as HTMLSelectElement).value))}
          >
            ${SPEEDS.map((one) => html`<option value=${one} ?selected=${one === speed}>${text.number(one)}×</option>`)}
          </select>`
        : nothing
    }
    ${
      isBehind && isLive
        ? html`<button
            part="button go-live"
            aria-label=${messages.goToLive}
            title=${messages.goToLive}
            @click=${goLive}
          >
            ${messages.live}
          </button>`
        : nothing
    }
    <span class="visually-hidden" role="status">${isLoading ? messages.loading : ''}</span>
  </div>`;
}

/** In place of the timeline, while nothing plays. */
export const fromBeginning = (label: string, act: () => void): TemplateResult =>
  html`<div part="timeline" class="bar timeline">
    <button part="button from-beginning" class="text bright" @click=${act}>${label}</button>
  </div>`;

/** In place of the timeline: why nobody can go back. */
export const timelineNotice = (message: string): TemplateResult =>
  html`<div part="timeline" class="bar timeline"><span class="note" role="status">${message}</span></div>`;
