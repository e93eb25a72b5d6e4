import type { NotedSession, SessionNotes } from '../../upstream/session-notes.js';
import type { Selectable } from 'kysely';
import * as z from 'zod/mini';
import { allowOnFullDisk } from '../availability/disk-reserve.js';
import { RowReader } from '../rows/row-reader.js';
import type { Database } from '../schema.js';
import type { UpstreamSessionTable } from '../schema/upstream-tables.js';
import type { TokenSeal } from './sql-token-rows.js';

const session = z.object({ url: z.url(), token: z.nullable(z.string()) });

export class SqlSessionNotes implements SessionNotes {
  readonly #db: Database;
  readonly #seal: TokenSeal;
  readonly #reader: RowReader<Selectable<UpstreamSessionTable>, NotedSession>;

  constructor(db: Database, seal: TokenSeal) {
    this.#db = db;
    this.#seal = seal;
    this.#reader = new RowReader({
      table: 'upstream_session',
      key: ['id'],
      read(row) {
        const id = row.text('id');
        return { id, session: row.sealedJson('session_sealed', { seal, context: contextOf(id), schema: session }) };
      },
    });
  }

  async add(owner: string, { id, session: opened }: NotedSession, now: number): Promise<void> {
    const session_sealed = this.#seal.seal(JSON.stringify(opened), contextOf(id));
    await this.#db.insertInto('upstream_session').values({ id, owner, session_sealed, opened_on: now }).execute();
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await allowOnFullDisk(() => this.#db.deleteFrom('upstream_session').where('id', 'in', ids).execute());
  }

  async takeOver(owner: string, alive: readonly string[], until: number): Promise<readonly NotedSession[]> {
    const rows = await this.#db
      .updateTable('upstream_session')
      .set({ owner })
      .where('owner', 'not in', [owner, ...alive])
      .where('opened_on', '<=', until)
      .returningAll()
      .execute();
    return this.#reader.readAll(this.#db, rows);
  }
}

const contextOf = (id: string): string => `upstream session ${id}`;
