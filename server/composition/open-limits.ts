import type { Logger } from 'pino';
import { KnownLimits } from '../accounts/limits/account-limits.js';
import { Pruning } from '../oversight/pruning.js';
import type { Database } from '../store/schema.js';
import { SqlAccountLimitStore } from '../store/tables/sql-account-limit-store.js';
import type { OpenedResources } from './opened-resources.js';

/** How soon a server knows what the operator changes. */
const READ_EVERY_MS = 5_000;

export interface OpenLimitsOptions {
  readonly db: Database;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

/** The limits of accounts. While the database does not answer, those that were read last hold. @throws {ApiError} */
export async function openLimits(opened: OpenedResources, { db, now, log }: OpenLimitsOptions): Promise<KnownLimits> {
  const limits = new KnownLimits(new SqlAccountLimitStore(db));
  await limits.read();
  const job = new Pruning({
    name: 'read the limits of accounts',
    everyMs: READ_EVERY_MS,
    prune: () => limits.read(),
    now,
    onFailed: (err) => log.debug({ err }, 'the limits of accounts could not be read again'),
  });
  opened.add(() => job.close());
  job.start();
  return limits;
}
