import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';

// The runner of this process has called `guardMockedTimers`.
describe('mocked timers', () => {
  it('pass after a timer of an earlier time of them was cleared', (t) => {
    t.after(() => mock.timers.reset());
    mock.timers.enable({ apis: ['setTimeout'] });
    const ofBefore = setTimeout(() => {}, 3_000);
    mock.timers.reset();
    mock.timers.enable({ apis: ['setTimeout'] });
    clearTimeout(ofBefore);
    let calls = 0;
    setTimeout(() => (calls += 1), 100);
    mock.timers.tick(100);
    assert.equal(calls, 1);
  });

  it('leave those running that were set since when one of an earlier time is cleared', (t) => {
    t.after(() => mock.timers.reset());
    mock.timers.enable({ apis: ['setInterval'] });
    const ofBefore = setInterval(() => {}, 50);
    mock.timers.reset();
    mock.timers.enable({ apis: ['setInterval'] });
    let calls = 0;
    const timer = setInterval(() => (calls += 1), 100);
    clearInterval(ofBefore);
    mock.timers.tick(200);
    clearInterval(timer);
    mock.timers.tick(200);
    assert.equal(calls, 2);
  });

  it('clear real timers that were set before', async (t) => {
    t.after(() => mock.timers.reset());
    let calls = 0;
    const real = setTimeout(() => (calls += 1), 1);
    const later = new Promise((resolve) => setTimeout(resolve, 2));
    mock.timers.enable({ apis: ['setTimeout'] });
    clearTimeout(real);
    await later;
    assert.equal(calls, 0);
  });
});
