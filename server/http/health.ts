import type { HealthProblemCode } from '../../src/wire/management/health.js';

export interface HealthProblem {
  readonly code: HealthProblemCode;
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** What the health of a server depends on. */
export interface HealthSources {
  /** What is wrong with the database and its disk now. */
  readonly database: readonly HealthProblem[];
  /** Undefined: the media engine has no processes of its own. */
  readonly media:
    | {
        readonly processes: number;
        /** Those that do not run or do not answer. */
        readonly stopped: readonly { readonly worker: number; readonly since: number }[];
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
  const stopped = (media?.stopped ?? []).map(({ worker, since }): HealthProblem => ({
    code: 'engine_unavailable',
    message: `The media process ${worker} does not answer: its sessions stand still until it is started again`,
    since,
  }));
  const stopping: HealthProblem[] =
    stoppingSince === undefined
      ? []
      : [{ code: 'server_stopping', message: 'The server stops: it opens no new sessions', since: stoppingSince }];
  const problems = [...database, ...stopped, ...stopping].toSorted((a, b) => a.since - b.since);
  const down =
    database.find(({ code }) => code === 'database_unavailable') ??
    stopping[0] ??
    (media && stopped.length >= media.processes ? stopped[0] : undefined);
  return { problems, down };
}
