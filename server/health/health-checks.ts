import { setTimeout as delay } from 'node:timers/promises';
import type { HealthProblemCode, HealthWarningCode } from '../../src/wire/management/health.js';

import { contain } from '../faults/contain.js';

/** What a check found. */
export type Finding =
  /** Other servers should get the new clients. */
  | { readonly level: 'problem'; readonly code: HealthProblemCode; readonly message: string }
  /** An operator should look at it; clients notice nothing yet. */
  | { readonly level: 'warning'; readonly code: HealthWarningCode; readonly message: string };

/** Looks whether a part of the server does its work, by having it do some. */
export interface HealthCheck {
  /** The part, as `/readyz` names it. */
  readonly component: string;
  /** @returns undefined: all is well */
  readonly check: () => Finding | undefined | Promise<Finding | undefined>;
  /** The part needs the disk on which the database is: what is wrong with the disk is one fault. */
  readonly onDatabaseDisk?: boolean;
  /** What it means that the check does not end, as on a disk that does not answer. Absent: it always ends. */
  readonly stuck?: Finding;
}

/** A finding while it lasts. */
export type LastingFinding = Finding & {
  readonly component: string;
  /** See `HealthCheck`. */
  readonly onDatabaseDisk?: boolean;
  /** Milliseconds since 1970. */
  readonly since: number;
};

export interface HealthChecksOptions {
  readonly checks: readonly HealthCheck[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
}

/** How often everything is checked, in ms. A check that has not ended by then is stuck. */
export const CHECK_EVERY_MS = 10_000;
const CLOSE_MS = 1_000;

/** Runs all checks, at the start and every ten seconds, and logs each finding when it begins and when it is over. */
export class HealthChecks {
  readonly #options: HealthChecksOptions;
  /** The checks that have not ended. */
  readonly #running = new Map<HealthCheck, Promise<void>>();
  readonly #findings = new Map<HealthCheck, LastingFinding>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: HealthChecksOptions) {
    this.#options = options;
  }

  /** What is wrong now. */
  get findings(): readonly LastingFinding[] {
    return [...this.#findings.values()];
  }

  start(): void {
    const run = contain('health', () => this.run());
    run();
    this.#timer = setInterval(run, CHECK_EVERY_MS).unref();
  }

  /** Resolves when no check runs any more, or after a second: one may be stuck. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.race([Promise.allSettled(this.#running.values()), delay(CLOSE_MS, undefined, { ref: false })]);
  }

  /** Runs each check that is not running. Resolves when those have ended. */
  async run(): Promise<void> {
    for (const check of this.#options.checks) {
      if (this.#running.has(check)) this.#found(check, check.stuck);
      else this.#running.set(check, this.#run(check));
    }
    await Promise.all(this.#running.values());
  }

  async #run(check: HealthCheck): Promise<void> {
    try {
      this.#found(check, await check.check());
    } finally {
      this.#running.delete(check);
    }
  }

  #found(check: HealthCheck, finding: Finding | undefined): void {
    const { now, log } = this.#options;
    const { component, onDatabaseDisk } = check;
    const before = this.#findings.get(check);
    if (before?.code === finding?.code && before?.message === finding?.message) return;
    if (finding) {
      const { level, code, message: problem } = finding;
      const since = before?.code === code ? before.since : now();
      this.#findings.set(check, { ...finding, component, ...(onDatabaseDisk && { onDatabaseDisk }), since });
      log.warn({ code, component, level, problem }, 'a part of the server does not do its work');
    } else if (before) {
      this.#findings.delete(check);
      log.info({ code: before.code, component, lastedMs: now() - before.since }, 'a part of the server works again');
    }
  }
}
