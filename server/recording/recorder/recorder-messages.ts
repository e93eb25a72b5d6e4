import type { PartEnd, PartOrder, PartProgress, PartStart } from '../recorder.js';

/** To the recorder's process. */
export type MessageToRecorder =
  | { readonly type: 'start'; readonly order: PartOrder; readonly leastFreeBytes?: number | undefined }
  | { readonly type: 'stop'; readonly partId: string }
  | { readonly type: 'ping' }
  /** End all parts, then the process: `runRecorder` does it. */
  | { readonly type: 'close' };

/** From the recorder's process. */
export type MessageFromRecorder =
  | { readonly type: 'ready' }
  | { readonly type: 'pong' }
  | { readonly type: 'started'; readonly start: PartStart }
  | { readonly type: 'progress'; readonly progress: PartProgress }
  | { readonly type: 'ended'; readonly end: PartEnd };
