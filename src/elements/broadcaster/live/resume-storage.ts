import type { ResumeStore } from '../../../client/broadcaster/broadcaster.js';

const at = (stream: string): string => `streamgate-resume:${stream}`;

/** Keeps the keys to broadcasts in this tab. Where the page may store nothing, nothing is kept. */
export const resumeStorage: ResumeStore = {
  load: (stream) => attempt(() => sessionStorage.getItem(at(stream)) ?? undefined),
  save: (key, stream) =>
    attempt(() =>
      key === undefined ? sessionStorage.removeItem(at(stream)) : sessionStorage.setItem(at(stream), key),
    ),
};

/** Frames and strict settings make every touch of the storage throw. */
function attempt<Result>(touch: () => Result): Result | undefined {
  try {
    return touch();
  } catch {
    return undefined;
  }
}
