import type { Logger } from 'pino';
import type { DatabaseMonitor } from './database-monitor.js';

/**
 * Logs when the database stops working, when that has another reason, and when it works again: once each, however many
 * calls are affected.
 */
export function logDatabaseProblems(monitor: DatabaseMonitor, log: Logger): void {
  monitor.on('began', ({ code, message }, cause) =>
    log.error({ code, problem: message, cause: causeText(cause) }, 'the database cannot do its work'),
  );
  monitor.on('changed', ({ code, message }, cause) =>
    log.error(
      { code, problem: message, cause: causeText(cause) },
      'the database still cannot do its work, for another reason',
    ),
  );
  monitor.on('over', ({ code }, lastedMs) => log.info({ code, lastedMs }, 'the database works again'));
  monitor.on('busy', (calls, cause) =>
    log.warn({ calls, cause: causeText(cause) }, 'the database was too slow for some calls, which were refused'),
  );
}

/** Safe to log: the message of a driver contains at most the address of the database. */
function causeText(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const driverCode = 'code' in cause ? String(cause.code) : undefined;
  return [driverCode, cause.message].filter(Boolean).join(': ');
}
