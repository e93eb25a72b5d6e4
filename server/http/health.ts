import type { LastingFinding } from '../health/health-checks.js';
import type { HealthProblemCode, HealthWarningCode } from '../../src/wire/management/health.js';

export interface HealthProblem<Code extends string = HealthProblemCode> {
  readonly code: Code;
  /** The part of the server that has it. Undefined: its code says it. */
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
        /** Its library should be replaced. */
        readonly unsupported?: Required<Omit<HealthProblem, 'code'>> | undefined;
      }
    | undefined;
  /** What the checks of the other parts have found. */
  readonly findings: readonly LastingFinding[];
  /** When the server began to stop. Undefined: it did not. */
  readonly stoppingSince: number | undefined;
}

export interface Health {
  /** All problems, the oldest first. */
  readonly problems: readonly HealthProblem[];
  /** What clients do not notice yet, the oldest first. */
  readonly warnings: readonly HealthProblem<HealthWarningCode>[];
  /** Why no viewer can be admitted. Undefined: viewers can be. */
  readonly down: HealthProblem | undefined;
}

export function healthOf({ media, stoppingSince, ...sources }: HealthSources): Health {
  const { database, findings } = withoutConsequences(sources);
  const faults = (media?.faults ?? []).map(({ component, message, since }): HealthProblem => {
    return { code: 'engine_unavailable', component, message, since };
  });
  const stopping: HealthProblem[] =
    stoppingSince === undefined
      ? []
      : [{ code: 'server_stopping', message: 'The server stops: it opens no new sessions', since: stoppingSince }];
  const found = findings.flatMap((finding) => (finding.level === 'problem' ? problemOf(finding) : []));
  const problems = [...database, ...faults, ...found, ...stopping].toSorted((a, b) => a.since - b.since);
  const unsupported: HealthProblem<HealthWarningCode>[] = media?.unsupported
    ? [{ code: 'openssl_unsupported', ...media.unsupported }]
    : [];
  const warned = findings.flatMap((finding) => (finding.level === 'warning' ? problemOf(finding) : []));
  const warnings = [...unsupported, ...warned].toSorted((a, b) => a.since - b.since);
  const down =
    database.find(({ code }) => code === 'database_unavailable') ??
    stopping[0] ??
    (media?.isUsable === false ? faults[0] : undefined);
  return { problems, warnings, down };
}

function problemOf<Code extends string>({ code, component, message, since }: Required<HealthProblem<Code>>) {
  return { code, component, message, since };
}

/** What cannot work without the database, by its codes. */
const NEED_DATABASE: ReadonlySet<string> = new Set(['job_failed', 'notifications_lost', 'webhooks_stuck']);

/** One cause is one entry: without what another entry brings with it, which is seen again if it outlives the other. */
function withoutConsequences({ database, findings }: Pick<HealthSources, 'database' | 'findings'>) {
  const hasFound = (code: string, component: string) =>
    findings.some((finding) => finding.code === code && finding.component === component);
  const isFull = database.some(({ code }) => code === 'disk_full');
  const isDead = hasFound('disk_failed', 'data_folder');
  const isAway = database.some(({ code }) => code === 'database_unavailable');
  const isConsequence = ({ code, component, onDatabaseDisk = false }: LastingFinding): boolean => {
    if (code === 'disk_full') return isFull && onDatabaseDisk;
    if (code === 'disk_failed' && component === 'data_folder') return hasFound('database_replaced', 'database_file');
    if (code === 'disk_failed') return isDead && onDatabaseDisk;
    return (isAway || isFull || isDead) && NEED_DATABASE.has(code);
  };
  return {
    database: isAway ? database.filter(({ code }) => !NEED_DATABASE.has(code)) : database,
    findings: findings.filter((finding) => !isConsequence(finding)),
  };
}
