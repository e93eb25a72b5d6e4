import { html, type TemplateResult } from 'lit';

/** An icon: an outline on a grid of 24 by 24, as large as the text around it. */
export const icon = (path: string): TemplateResult =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path}></path></svg>`;

export const eyeIcon = icon('M2 12q10-14 20 0-10 14-20 0M12 11v2');

/** Visual only. Screen readers announce the text next to the spinner, or the next state. */
export const spinner = html`<i part="spinner" class="spinner"></i>`;

/** Paths of the icons of the viewer's controls. */
export const PLAY = 'M8 5v14l11-7z';
export const PAUSE = 'M8 5v14M16 5v14';
export const SOUND = 'M4 9v6h4l5 5V4L8 9zM16 8q5 4 0 8';
export const MUTED = 'M4 9v6h4l5 5V4L8 9zM16 9l6 6m0-6l-6 6';
export const CAST = 'M3 8V5h18v14h-7M3 12q7 0 7 7M3 16q3 0 3 3';
export const PICTURE_IN_PICTURE = 'M3 5h18v14H3zM12 12h5v3h-5z';
/** Two sliders. */
export const SETTINGS = 'M4 8h16M4 16h16M15 5v6M9 13v6';
export const FULLSCREEN = 'M4 9V4h5M20 15v5h-5';
export const LEAVE_FULLSCREEN = 'M9 4v5H4M15 20v-5h5';
