import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bundleBytes } from '../../bench/bundle.bench.js';

/** Gzip bytes of a consumer's bundled and minified app, lit and zod included. */
const BUDGETS: readonly [app: Parameters<typeof bundleBytes>[0], most: number][] = [
  ['frame', 600],
  ['viewer', 25_500],
  ['bothTags', 36_000],
  ['headless', 9_000],
];

describe('what a consumer bundles', () => {
  for (const [app, most] of BUDGETS) {
    it(`is at most ${most} bytes for ${app}`, async () => {
      const bytes = await bundleBytes(app);
      assert.equal(bytes > most / 2 && bytes <= most, true, `${bytes} bytes`);
    });
  }
});
