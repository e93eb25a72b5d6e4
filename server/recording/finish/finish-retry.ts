import { PackagerError, type PackagerFailure } from '../packager/packager-messages.js';

const SOON_MS = 1_000;
const FIRST_RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 15 * 60_000;

/** Whether a recording that could not be finished is tried again, after so many milliseconds. */
export type FinishStep = { readonly name: 'retry'; readonly ms: number } | { readonly name: 'give_up' };

/** @param failures how many attempts failed before this one */
export function afterFinishFailure(reason: PackagerFailure, failures: number): FinishStep {
  // Each further attempt reads the parts again, and leaves out those that cannot be read.
  if (reason === 'unreadable') return failures === 0 ? { name: 'retry', ms: SOON_MS } : { name: 'give_up' };
  // The packager is started again within a second. It may be the recording that ends it.
  const first = reason === 'unavailable' ? SOON_MS : FIRST_RETRY_MS;
  return { name: 'retry', ms: Math.min(LONGEST_RETRY_MS, first * 2 ** Math.min(failures, 10)) };
}

export function finishFailureOf(error: unknown): PackagerFailure {
  return error instanceof PackagerError ? error.reason : 'failed';
}
