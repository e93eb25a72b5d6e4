import type { Kysely } from 'kysely';
import type { Schema } from '../schema.js';

/** Migration 0004: a sealed text that tells whether a key is the one of this database, and finding expired tokens. */
export async function createSealCheck(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('seal_check')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('token_by_expiry').on('token').column('expires_on').execute();
}
