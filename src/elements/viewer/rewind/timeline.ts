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
  /** The slider is held there, and not released. @param time undefined: it is not held any more */
  hold(time: number | undefined): void;
  /** A mouse points there. @param time undefined: it left */
  point(time: number | undefined): void;
  /** The slider was released. A browser whose slider is where it was sends no other event. */
  release(): void;
  setSpeed(speed: number): void;
  goLive(): void;
}

/** Where the picture is in the recording, and the way back to live. */
export function timeline(
  { time, length, shown, spoken, isLive, isBehind, isLoading, speed }: TimelineState,
  text: RewindText,
  { seek, hold, point, release, setSpeed, goLive }: TimelineActions,
  preview: HTMLElement,
): TemplateResult {
  const messages = text.current;
  const valueOf = ({ currentTarget }: Event): number => (currentTarget as HTMLInputElement).valueAsNumber;
  return html`<div part="timeline" class="bar timeline">
    <input
      type="range"
      part="timeline-slider"
      step="1"
      max=${Math.max(1, Math.floor(length))}
      aria-label=${messages.timeline}
      aria-valuetext=${spoken}
      .value=${String(Math.floor(time))}
      @input=${(event: Event) => hold(valueOf(event))}
      @change=${(event: Event) => seek(valueOf(event))}
      @pointerup=${release}
      @pointercancel=${() => hold(undefined)}
      @pointermove=${(event: PointerEvent) => event.buttons || point(timeAt(event, length, messages.dir))}
      @pointerleave=${() => point(undefined)}
    />
    ${preview}
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

/** The thumb of a slider does not go beyond its ends: its middle stays so far from them, in pixels. */
const THUMB_RADIUS = 8;

/** The time of a slider, in seconds, at which a mouse points. */
function timeAt({ currentTarget, clientX }: PointerEvent, length: number, dir: 'ltr' | 'rtl'): number {
  const { left, width } = (currentTarget as Element).getBoundingClientRect();
  const part = (clientX - left - THUMB_RADIUS) / (width - 2 * THUMB_RADIUS);
  return length * Math.min(1, Math.max(0, dir === 'ltr' ? part : 1 - part));
}

/** Where the middle of the thumb is at a part of the length, in pixels from the left. */
export function thumbAt(part: number, width: number, dir: 'ltr' | 'rtl'): number {
  return THUMB_RADIUS + (dir === 'ltr' ? part : 1 - part) * (width - 2 * THUMB_RADIUS);
}

/** In place of the timeline, while nothing plays. */
export const fromBeginning = (label: string, act: () => void): TemplateResult =>
  html`<div part="timeline" class="bar timeline">
    <button part="button from-beginning" class="text bright" @click=${act}>${label}</button>
  </div>`;

/** In place of the timeline: why nobody can go back. */
export const timelineNotice = (message: string): TemplateResult =>
  html`<div part="timeline" class="bar timeline"><span class="note" role="status">${message}</span></div>`;
