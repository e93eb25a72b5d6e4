import assert from 'node:assert/strict';
import { it } from 'node:test';
import { WorkerLoad } from '../../../../../server/media/embedded/worker/worker-load.js';

it('a worker sends viewers less while its packets are late, and all again when there is nothing to do', () => {
  const load = new WorkerLoad(() => {});
  load.start(0);
  load.addSample(0, 50);
  assert.deepEqual([load.isReduced, load.share], [false, 1]);
  for (let now = 100; now <= 1_000; now += 50) load.addSample(300, now);
  assert.equal(load.isReduced, true);
  assert.ok(load.share < 1);
  load.start(2_000);
  assert.deepEqual([load.isReduced, load.share], [false, 1]);
});
