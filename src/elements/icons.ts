import { svg, type SVGTemplateResult } from 'lit';

/** An outline of one stroke, as big as the text beside it asks. */
export const icon = (path: string): SVGTemplateResult =>
  svg`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path}></path></svg>`;

export const eyeIcon = icon('M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zm10 3a3 3 0 1 0 0-6 3 3 0 0 0 0 6z');
export const soundIcon = icon('M4 9v6h4l5 5V4L8 9zM16 8a5 5 0 0 1 0 8M18.500 5a9 9 0 0 1 0 14');
export const mutedIcon = icon('M4 9v6h4l5 5V4L8 9zM16.500 9.500l5 5m0-5l-5 5');
export const playIcon = icon('M8 5v14l11-7z');
export const fullscreenIcon = icon('M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5');
