import type { CaptureWishes } from '../../client/capture.js';
import type { TrackKind } from '../../client/sources.js';

const BY_KIND = {
  video: ['height', 'frameRate'],
  audio: ['echoCancellation', 'noiseSuppression', 'autoGainControl'],
} as const;

/** Which of the two devices has to be told. */
export function wishesChanged(before: CaptureWishes, now: CaptureWishes): readonly TrackKind[] {
  return (['video', 'audio'] as const).filter((kind) => BY_KIND[kind].some((name) => before[name] !== now[name]));
}
