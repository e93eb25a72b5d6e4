import assert from 'node:assert/strict';
import type { SfuListener } from '../../../server/media/embedded/worker/sfu.js';

/** Fails on a fault. */
export const sfuListener: SfuListener = { onFault: assert.ifError, onLog: () => {}, onFigures: () => {} };
