import type { ResumeStore } from '../../../client/broadcaster/broadcaster.js';

const keyOf = (stream: string): string => `streamgate-resume:${stream}`;

/** Stores session keys in `sessionStorage`, for this browser tab only. If storage is blocked, nothing is stored. */
export const resumeStorage: ResumeStore = {
  load: (stream) => attempt(() => sessionStorage.getItem(keyOf(stream)) ?? undefined),
  save: (key, stream) =>
    attempt(() =>
      key === undefined ? sessionStorage.removeItem(keyOf(stream)) : sessionStorage.setItem(keyOf(stream), key),
    ),
};

/** In frames, or with strict browser settings, every access to the storage throws. */
function attempt<Result>(access: () => Result): Result | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
