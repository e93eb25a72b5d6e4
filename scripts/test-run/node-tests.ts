// `node --import ./scripts/load-typescript.js OPTIONS scripts/test-run/node-tests.ts FILE…` runs files of `node:test` in this
// process, as `node --test --test-isolation=none OPTIONS FILE…` does, for a quarter less of CPU time: the runner follows
// each promise of a test, only to say in which test an error was thrown that nobody caught. `node-reporter.ts` says it.
import asyncHooks from 'node:async_hooks';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { filesAreLoaded } from './loading.ts';
import { guardMockedTimers } from './mocked-timers.ts';

// The runner takes this function when it is loaded. A Node that does not know the option follows promises.
const { createHook } = asyncHooks;
asyncHooks.createHook = (callbacks) => createHook(Object.assign(callbacks, { trackPromises: false }));

guardMockedTimers();

try {
  for (const file of process.argv.slice(2)) await import(pathToFileURL(resolve(file)).href);
} catch (error) {
  console.error(error);
  process.exit(1);
}
filesAreLoaded();
