import assert from 'node:assert/strict';
import { it } from 'node:test';
import { LoadGauge } from '../../../../server/media/embedded/load-gauge.js';

it('rises and falls over some seconds, not with one late second', (t) => {
  const gauge = new LoadGauge();
  t.after(() => gauge.close());
  gauge.note(300);
  assert.ok(gauge.lag < 150);
  gauge.note(300);
  gauge.note(300);
  assert.ok(gauge.lag > 150);
  for (let second = 0; second < 5; second++) gauge.note(0);
  assert.ok(gauge.lag < 50);
});

it('measures how late this process runs', async (t) => {
  const gauge = new LoadGauge();
  t.after(() => gauge.close());
  await new Promise((resolve) => setTimeout(resolve, 30));
  for (let turn = 0; turn < 5; turn++) {
    const until = performance.now() + 200;
    while (performance.now() < until);
    await new Promise((resolve) => setImmediate(resolve));
  }
  gauge.sample();
  assert.ok(gauge.lag > 20, `${gauge.lag} ms`);
});
