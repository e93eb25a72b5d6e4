import type { ResumeStore } from '../../../client/broadcaster/broadcaster.js';
import { stored } from '../stored.js';

const keyOf = (stream: string): string => `streamgate-resume:${stream}`;
const leftKeyOf = (stream: string): string => `streamgate-left:${stream}`;

/** Later, viewers are told that the broadcast stopped, and going on is going live again. */
const GOES_ON_WITHIN_MS = 60_000;

function store(key: string, value: string | undefined): void {
  stored(() => (value === undefined ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, value)));
}

/**
 * Stores session keys in `sessionStorage`, for this browser tab only, and that a broadcast did not end but was left. If
 * storage is blocked, nothing is stored.
 */
export const resumeStorage = {
  load: (stream: string) => stored(() => sessionStorage.getItem(keyOf(stream)) ?? undefined),
  save(key: string | undefined, stream: string, isLeft?: boolean) {
    store(keyOf(stream), key);
    store(leftKeyOf(stream), isLeft ? String(Date.now()) : undefined);
  },
  /** Whether the page was left a moment ago while it was live. */
  wasLeft: (stream: string) =>
    stored(() => Date.now() - Number(sessionStorage.getItem(leftKeyOf(stream))) < GOES_ON_WITHIN_MS) ?? false,
} satisfies ResumeStore & Record<string, unknown>;
