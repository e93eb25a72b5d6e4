import { expect as original } from '@playwright/test';

/** Playwright waits up to a second between two looks. The last of these repeats. */
const INTERVALS = [50, 100, 200];

const poll: typeof original.poll = (actual, options) =>
  original.poll(actual, {
    intervals: INTERVALS,
    ...(typeof options === 'string' ? { message: options } : options),
  });

/** Playwright's `expect`, which looks more often in `expect.poll`: each journey waits for many conditions. */
export const expect = new Proxy(original, {
  get: (target, name, receiver) => (name === 'poll' ? poll : Reflect.get(target, name, receiver)),
});
