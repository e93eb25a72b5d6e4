import type { NotedSession, SessionNotes } from '../../upstream/session-notes.js';
import { allowOnFullDisk } from '../availability/disk-reserve.js';
import type { Database } from '../schema.js';
import type { TokenSeal } from './sql-token-rows.js';

export class SqlSessionNotes implements SessionNotes {
  readonly #db: Database;
  readonly #seal: TokenSeal;

  constructor(db: Database, seal: TokenSeal) {
    this.#db = db;
    this.#seal = seal;
  }

  async add(owner: string, { id, session }: NotedSession, now: number): Promise<void> {
    const session_sealed = this.#seal.seal(JSON.stringify(session), contextOf(id));
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
    return rows.map(({ id, session_sealed }) => ({
      id,
      session: JSON.parse(this.#seal.open(session_sealed, contextOf(id))),
    }));
  }
}

const contextOf = (id: string): string => `upstream session ${id}`;
