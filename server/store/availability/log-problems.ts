import type { Logger } from 'pino';
import type { DatabaseMonitor } from './database-monitor.js';

/** Tells the operator when the database stops working and when it works again: once each, however many calls meet it. */
export function logDatabaseProblems(watch: DatabaseMonitor, log: Logger): void {
  watch.on('began', ({ code, message }, cause) =>
    log.error({ code, problem: message, cause: whyOf(cause) }, 'the database cannot do its work'),
  );
  watch.on('over', ({ code }, lastedMs) => log.info({ code, lastedMs }, 'the database works again'));
  watch.on('busy', (calls, cause) =>
    log.warn({ calls, cause: whyOf(cause) }, 'the database was too slow for some calls, which were refused'),
  );
}

/** A driver's message names no more than the address of the database. */
function whyOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const name = 'code' in cause ? String(cause.code) : undefined;
  return [name, cause.message].filter(Boolean).join(': ');
}
