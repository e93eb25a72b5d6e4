import { sql, type RawBuilder } from 'kysely';
import { EXPIRES_AFTER_MS } from '../../cluster/lease-times.js';

/** Milliseconds since 1970. */
export const DATABASE_TIME = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`;

/** So long ago, by the clock of the database. */
export const ago = (ms: number): RawBuilder<Date> => sql`clock_timestamp() - ${ms} * interval '1 millisecond'`;

/** The leases of the node are valid. @param node an alias of the table */
export const isAlive = (node: string): RawBuilder<boolean> =>
  sql`${sql.ref(`${node}.heartbeat`)} > ${ago(EXPIRES_AFTER_MS)}`;
