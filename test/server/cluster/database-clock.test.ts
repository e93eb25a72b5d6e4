import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseClock } from '../../../server/cluster/database-clock.js';

describe('DatabaseClock', () => {
  const clockAt = (start: number) => {
    const machine = { now: start };
    return { machine, clock: new DatabaseClock(() => machine.now) };
  };

  it('is that of the machine until the database was asked', () => {
    assert.equal(clockAt(5_000).clock.now(), 5_000);
  });

  it('follows the database, however far the machine is off', () => {
    for (const offMs of [-3_600_000, -300_000, 300_000, 86_400_000]) {
      const { machine, clock } = clockAt(1_000_000 + offMs);
      const sentAt = clock.read();
      machine.now += 10;
      clock.measured(1_000_005, sentAt);
      assert.equal(clock.now(), 1_000_010);
      machine.now += 2_000;
      assert.equal(clock.now(), 1_002_010);
    }
  });

  it('does not jump for a difference that the measurement can have by itself', () => {
    const { machine, clock } = clockAt(1_000_000);
    const sentAt = clock.read();
    machine.now += 400;
    clock.measured(1_000_390, sentAt);
    assert.equal(clock.offset, 0);
  });

  it('follows when the clock of the machine is set', () => {
    const { machine, clock } = clockAt(1_000_000);
    clock.measured(1_000_000, clock.read());
    machine.now += 300_000;
    clock.measured(1_002_000, clock.read());
    assert.equal(clock.now(), 1_002_000);
  });
});
