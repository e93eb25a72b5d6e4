import type { ResumeStore } from '../../client/broadcaster.js';

/** Keeps the key to a broadcast in this tab while its page is loaded again. Where the page may store nothing, nothing is kept. */
export function resumeStorage(stream: () => string): ResumeStore {
  const key = () => `streamgate-resume:${stream()}`;
  return {
    load: () => attempt(() => sessionStorage.getItem(key()) ?? undefined),
    save: (value) =>
      attempt(() => (value === undefined ? sessionStorage.removeItem(key()) : sessionStorage.setItem(key(), value))),
  };
}

/** Frames and strict settings make every touch of the storage throw. */
function attempt<Result>(touch: () => Result): Result | undefined {
  try {
    return touch();
  } catch {
    return undefined;
  }
}
