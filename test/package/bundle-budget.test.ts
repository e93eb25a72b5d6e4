import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sizeOf, type App, type AppSize } from '../../bench/bundle.bench.js';

/**
 * The size that the first paint of a tag waits for, the whole size, that of the settings, which a visitor who opens them
 * loads, that of the timeline, which only `dvr` loads, and that of the player that `dvr` loads in browsers without HLS. The
 * WebRTC code is loaded later (decision 15).
 */
const BUDGETS: Readonly<Record<Exclude<App, 'millicastView'>, AppSize>> = {
  frame: { firstBytes: 600, bytes: 600, openedBytes: 0, optionalBytes: 0, hlsBytes: 0 },
  viewer: { firstBytes: 19_100, bytes: 27_500, openedBytes: 2_000, optionalBytes: 6_250, hlsBytes: 130_000 },
  bothTags: { firstBytes: 30_550, bytes: 41_800, openedBytes: 2_000, optionalBytes: 6_250, hlsBytes: 130_000 },
  headless: { firstBytes: 10_350, bytes: 10_350, openedBytes: 0, optionalBytes: 0, hlsBytes: 0 },
};

describe('what a consumer bundles', () => {
  for (const [app, most] of Object.entries(BUDGETS) as [App, AppSize][]) {
    it(`is at most ${most.firstBytes} bytes at first and ${most.bytes} in all, for ${app}`, async () => {
      const { firstBytes, ...parts } = await sizeOf(app);
      assert.ok(firstBytes <= most.firstBytes, `${firstBytes} bytes at first`);
      for (const [part, bytes] of Object.entries(parts) as [keyof typeof parts, number][]) {
        assert.ok(bytes <= most[part] && bytes >= most[part] / 2, `${part}: ${bytes}`);
      }
    });
  }
});
