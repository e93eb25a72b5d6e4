import type { ResumeStore } from '../../../client/broadcaster/broadcaster.js';

const keyOf = (stream: string): string => `streamgate-resume:${stream}`;

/** Keeps resume keys in `sessionStorage`, for this tab alone. Where storage is forbidden, nothing is kept. */
export const resumeStorage: ResumeStore = {
  load: (stream) => attempt(() => sessionStorage.getItem(keyOf(stream)) ?? undefined),
  save: (key, stream) =>
    attempt(() =>
      key === undefined ? sessionStorage.removeItem(keyOf(stream)) : sessionStorage.setItem(keyOf(stream), key),
    ),
};

/** In frames, and with strict settings, every access to the storage throws. */
function attempt<Result>(access: () => Result): Result | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
