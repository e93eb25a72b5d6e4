import type { CaptureWishes } from '../../client/capture.js';

const PICTURE = ['height', 'frameRate'] as const;
const SOUND = ['echoCancellation', 'noiseSuppression', 'autoGainControl'] as const;

/** Which of the two devices has to be told. */
export function wishesChanged(before: CaptureWishes, now: CaptureWishes): { picture: boolean; sound: boolean } {
  const differs = (name: keyof CaptureWishes): boolean => before[name] !== now[name];
  return { picture: PICTURE.some(differs), sound: SOUND.some(differs) };
}
