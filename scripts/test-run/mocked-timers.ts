import { mock, type MockTimersOptions } from 'node:test';

/** What sets a timer, and what clears it. */
const PAIRS = [
  ['setTimeout', 'clearTimeout'],
  ['setInterval', 'clearInterval'],
] as const;

/**
 * Has mocked timers clear only what was set since they were enabled. `fetch` sets and clears timers at moments that no
 * test knows. In Node 24, one that was set while timers were mocked and is cleared while they are mocked again takes
 * the place of another out of their queue, or makes the queue useless for all later tests of the process.
 */
export function guardMockedTimers(): void {
  const { timers } = mock;
  const enable = timers.enable.bind(timers);
  timers.enable = (options?: MockTimersOptions) => {
    const real = { clearTimeout, clearInterval };
    const before = { setTimeout, setInterval };
    enable(options);
    const known = new WeakSet<object>();
    for (const [set, clear] of PAIRS) {
      if (globalThis[set] === before[set]) continue;
      const mocked = { set: globalThis[set], clear: globalThis[clear] };
      const remembered = new Proxy(mocked.set, {
        apply(target, self, args) {
          const timer: NodeJS.Timeout = Reflect.apply(target, self, args);
          known.add(timer);
          return timer;
        },
      });
      const guarded = (timer?: NodeJS.Timeout | string | number): void =>
        typeof timer === 'object' && known.has(timer) ? mocked.clear(timer) : real[clear](timer);
      Object.assign(globalThis, { [set]: remembered, [clear]: guarded });
    }
  };
}
