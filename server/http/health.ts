import type { HealthProblemCode } from '../../src/wire/management/health.js';

export interface HealthProblem {
  readonly code: HealthProblemCode;
  /** Of the media engine. Undefined: another problem. */
  readonly component?: string;
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** What the health of a server depends on. */
export interface HealthSources {
  /** What is wrong with the database and its disk now. */
  readonly database: readonly HealthProblem[];
  /** Undefined: nothing of the media engine can fail by itself. */
  readonly media:
    | {
        /** Whether any new session can have media. */
        readonly isUsable: boolean;
        readonly faults: readonly Required<Omit<HealthProblem, 'code'>>[];
      }
    | undefined;
  /** When the server began to stop. Undefined: it did not. */
  readonly stoppingSince: number | undefined;
}

export interface Health {
  /** All problems, the oldest first. */
  readonly problems: readonly HealthProblem[];
  /** Why no viewer can be admitted. Undefined: viewers can be. */
  readonly down: HealthProblem | undefined;
}

export function healthOf({ database, media, stoppingSince }: HealthSources): Health {
  const faults = (media?.faults ?? []).map(({ component, message, since }): HealthProblem => {
    return { code: 'engine_unavailable', component, message, since };
  });
  const stopping: HealthProblem[] =
    stoppingSince === undefined
      ? []
      : [{ code: 'server_stopping', message: 'The server stops: it opens no new sessions', since: stoppingSince }];
  const problems = [...database, ...faults, ...stopping].toSorted((a, b) => a.since - b.since);
  const down =
    database.find(({ code }) => code === 'database_unavailable') ??
    stopping[0] ??
    (media?.isUsable === false ? faults[0] : undefined);
  return { problems, down };
}
