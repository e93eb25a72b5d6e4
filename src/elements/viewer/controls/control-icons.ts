/** Outlines of one stroke on a field of 24 by 24. */
export const PLAY = 'M8 5v14l11-7z';
export const PAUSE = 'M8 5v14M16 5v14';
export const SOUND = 'M4 9v6h4l5 5V4L8 9zM16 8a5 5 0 0 1 0 8M18.500 5a9 9 0 0 1 0 14';
export const MUTED = 'M4 9v6h4l5 5V4L8 9zM16.500 9.500l5 5m0-5l-5 5';
export const CAST = 'M3 8V5h18v14h-7M3 12a7 7 0 0 1 7 7M3 16a3 3 0 0 1 3 3';
export const PICTURE_IN_PICTURE = 'M3 5h18v14H3zM12 12h5v3h-5z';
export const SETTINGS =
  'M4 8h9m4 0h3M4 16h3m4 0h9M17 8a2 2 0 1 1-4 0 2 2 0 0 1 4 0zM11 16a2 2 0 1 1-4 0 2 2 0 0 1 4 0z';
export const FULLSCREEN = 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5';
export const LEAVE_FULLSCREEN = 'M9 4v5H4M20 9h-5V4M15 20v-5h5M4 15h5v5';
