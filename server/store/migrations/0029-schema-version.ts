import { sql, type Kysely } from 'kysely';

/**
 * The first migration that a version must know to work with these tables: a migration that takes something away enters
 * its own name. Released: never edit.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table schema_version (compatible_from text not null)`.execute(db);
  await sql`insert into schema_version (compatible_from) values ('0029_schema_version')`.execute(db);
}
