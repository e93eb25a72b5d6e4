import { sql, type Kysely } from 'kysely';

interface Tables {
  token: {
    id: number;
    account_id: string;
    kind: string;
    label: string;
    is_active: number;
    added_on: number;
    expires_on: number | null;
  };
  token_stream: { token_id: number; position: number; stream_name: string };
  token_search: {
    account_id: string;
    kind: string;
    token_id: number;
    label: string;
    is_active: number;
    added_on: number;
    expires_on: number | null;
    folded: string;
  };
}

const TOKENS_AT_ONCE = 500;

/** What tokens are searched by, in narrow rows beside the tokens. Released: never edit. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  await db.schema
    .createTable('token_search')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('token_id', dialect === 'sqlite' ? 'integer' : 'bigint', (column) =>
      column.notNull().unique().references('token.id').onDelete('cascade'),
    )
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('is_active', 'integer', (column) => column.notNull())
    .addColumn('added_on', 'bigint', (column) => column.notNull())
    .addColumn('expires_on', 'bigint')
    .addColumn('folded', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('token_search_key', ['account_id', 'kind', 'token_id'])
    // SQLite keeps the rows of an account together, so that a search reads nothing else.
    .modifyEnd(dialect === 'sqlite' ? sql`without rowid` : sql``)
    .execute();
  await fill(db as Kysely<Tables>);
}

/** SQLite changes the case of ASCII letters only, so the folded text is made here. */
async function fill(db: Kysely<Tables>): Promise<void> {
  for (let lastId = 0; ;) {
    const tokens = await db
      .selectFrom('token')
      .select(['id', 'account_id', 'kind', 'label', 'is_active', 'added_on', 'expires_on'])
      .where('id', '>', lastId)
      .orderBy('id')
      .limit(TOKENS_AT_ONCE)
      .execute();
    const last = tokens.at(-1);
    if (!last) return;
    lastId = Number(last.id);
    const streams = await db
      .selectFrom('token_stream')
      .select(['token_id', 'stream_name'])
      .where('token_id', '>=', Number(tokens[0]!.id))
      .where('token_id', '<=', lastId)
      .orderBy('token_id')
      .orderBy('position')
      .execute();
    const texts = new Map(tokens.map(({ id, label }) => [Number(id), [label]]));
    for (const { token_id, stream_name } of streams) texts.get(Number(token_id))?.push(stream_name);
    const rows = tokens.map(({ id, account_id, kind, label, is_active, added_on, expires_on }) => {
      const folded = texts.get(Number(id))!.join('\n').normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
      return { account_id, kind, token_id: Number(id), label, is_active, added_on, expires_on, folded };
    });
    await db.insertInto('token_search').values(rows).execute();
  }
}
