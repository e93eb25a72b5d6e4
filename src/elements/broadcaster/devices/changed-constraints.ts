import type { CaptureConstraints } from '../../../client/broadcaster/capture.js';
import type { TrackKind } from '../../../client/viewer/sources.js';

const BY_KIND = {
  video: ['height', 'frameRate'],
  audio: ['echoCancellation', 'noiseSuppression', 'autoGainControl'],
} as const;

/** Which of the two devices has to be told. */
export function changedConstraints(before: CaptureConstraints, now: CaptureConstraints): readonly TrackKind[] {
  return (['video', 'audio'] as const).filter((kind) => BY_KIND[kind].some((name) => before[name] !== now[name]));
}
