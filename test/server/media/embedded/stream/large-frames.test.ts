import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openSimulcast, TRANSPORT_FEEDBACK } from '../../../../support/media/simulcast-fixture.js';

it('keyframes for others do not lower the estimate of a link that carries them beside the video', () => {
  const simulcast = openSimulcast([5_000], { keyframes: { bytes: 60_000, everyMs: 10_000 } });
  const viewer = simulcast.watch(TRANSPORT_FEEDBACK, { capacity: 2_000_000, delay: 30 });
  simulcast.pass(5, viewer);
  for (let second = 0; second < 60; second++) {
    simulcast.pass(1, viewer);
    const estimate = viewer.viewer.delivery('').availableBitrate!;
    assert.ok(estimate > 1_800_000, `${estimate} bit/s after ${second} s`);
  }
});
