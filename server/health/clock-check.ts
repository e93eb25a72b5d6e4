import type { Finding, HealthCheck } from './health-checks.js';

const DAY_MS = 86_400_000;

export interface ClockCheckOptions {
  /** The clock of the machine, in milliseconds since 1970. */
  readonly machineNow: () => number;
  /** How far it is behind the clock of the database, in ms. 0 without PostgreSQL. */
  readonly offset: () => number;
  /** When something was stored last, by an earlier run of a server too. Undefined: nothing was. */
  readonly storedOn: number | undefined;
  /** A clock that does not jump, in ms. */
  readonly monotonicNow: () => number;
}

/**
 * Warns of a clock that is wrong by more than a day: tokens and certificates are then valid at the wrong time, and what is
 * old is deleted too early. It has no other clock to compare with than that of the database, and what was seen before.
 */
export function clockCheck({ machineNow, offset, storedOn, monotonicNow }: ClockCheckOptions): HealthCheck {
  const begun = { on: machineNow(), at: monotonicNow() };
  return {
    component: 'clock',
    check() {
      const now = machineNow();
      const behind = offset();
      if (Math.abs(behind) > DAY_MS) return wrong(now, behind, 'the clock of the database');
      if (storedOn !== undefined && storedOn - now > DAY_MS)
        return wrong(now, storedOn - now, 'what was stored before');
      const expected = begun.on + (monotonicNow() - begun.at);
      if (Math.abs(expected - now) > DAY_MS) return wrong(now, expected - now, 'the time at the start of the server');
      return undefined;
    },
  };
}

function wrong(now: number, behindMs: number, other: string): Finding {
  const days = Math.round(Math.abs(behindMs) / DAY_MS);
  const way = behindMs > 0 ? 'behind' : 'ahead of';
  const shown = new Date(now).toISOString();
  const message = `The clock of this machine shows ${shown}, which is about ${days} ${days === 1 ? 'day' : 'days'} ${way} ${other}`;
  return { level: 'warning', code: 'clock_wrong', message };
}
