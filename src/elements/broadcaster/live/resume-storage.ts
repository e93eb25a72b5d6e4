import type { ResumeStore } from '../../../client/broadcaster/broadcaster.js';
import { stored } from '../stored.js';

const keyOf = (stream: string): string => `streamgate-resume:${stream}`;

/** Stores session keys in `sessionStorage`, for this browser tab only. If storage is blocked, nothing is stored. */
export const resumeStorage: ResumeStore = {
  load: (stream) => stored(() => sessionStorage.getItem(keyOf(stream)) ?? undefined),
  save: (key, stream) =>
    stored(() =>
      key === undefined ? sessionStorage.removeItem(keyOf(stream)) : sessionStorage.setItem(keyOf(stream), key),
    ),
};
