import assert from 'node:assert/strict';
import { it } from 'node:test';
import { KeyframeRequests } from '../../../../server/media/embedded/keyframe-requests.js';

it('asks at once, and then every 500 ms until a keyframe came', () => {
  const requests = new KeyframeRequests();
  assert.equal(requests.due(0), false);
  requests.want();
  const asked: number[] = [];
  for (let now = 0; now <= 1_200; now += 20) if (requests.due(now)) asked.push(now);
  requests.arrived();
  for (let now = 1_200; now <= 3_000; now += 20) if (requests.due(now)) asked.push(now);
  assert.deepEqual(asked, [0, 500, 1_000]);
});

it('asks once for however many who want one within 500 ms', () => {
  const requests = new KeyframeRequests();
  const asked: number[] = [];
  for (let now = 0; now < 500; now += 10) {
    requests.want();
    if (requests.due(now)) asked.push(now);
    requests.arrived();
  }
  assert.deepEqual(asked, [0]);
});
