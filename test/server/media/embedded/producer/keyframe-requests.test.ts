import assert from 'node:assert/strict';
import { it } from 'node:test';
import { KeyframeRequests } from '../../../../../server/media/embedded/producer/keyframe-requests.js';

it('are due at once, and then every 500 ms until a keyframe arrives', () => {
  const requests = new KeyframeRequests();
  assert.equal(requests.isDue(0), false);
  requests.request();
  const asked: number[] = [];
  for (let now = 0; now <= 1_200; now += 20) if (requests.isDue(now)) asked.push(now);
  requests.onKeyframe();
  for (let now = 1_200; now <= 3_000; now += 20) if (requests.isDue(now)) asked.push(now);
  assert.deepEqual(asked, [0, 500, 1_000]);
});

it('are combined within 500 ms', () => {
  const requests = new KeyframeRequests();
  const asked: number[] = [];
  for (let now = 0; now < 500; now += 10) {
    requests.request();
    if (requests.isDue(now)) asked.push(now);
    requests.onKeyframe();
  }
  assert.deepEqual(asked, [0]);
});
