import type { ResumeStore } from '../../../client/broadcaster/broadcaster.js';
import { stored } from '../stored.js';

/** Later, viewers are told that the broadcast stopped, and going on is going live again. */
const GOES_ON_WITHIN_MS = 60_000;

const keyOf = (stream: string): string => `streamgate-resume:${stream}`;
/** The session key, and when a broadcast was left that did not end. */
const read = (stream: string): readonly string[] =>
  stored(() => sessionStorage.getItem(keyOf(stream))?.split('\n')) ?? [];

/** Stores session keys in `sessionStorage`, for this browser tab only. If storage is blocked, nothing is stored. */
export const resumeStorage = {
  load: (stream: string) => read(stream)[0],
  save: (key: string | undefined, stream: string, isLeft?: boolean) =>
    stored(() =>
      key === undefined
        ? sessionStorage.removeItem(keyOf(stream))
        : sessionStorage.setItem(keyOf(stream), isLeft ? `${key}\n${Date.now()}` : key),
    ),
  /** Whether the page was left a moment ago while it was live. */
  wasLeft: (stream: string): boolean => Date.now() - Number(read(stream)[1]) < GOES_ON_WITHIN_MS,
} satisfies ResumeStore & Record<string, unknown>;
