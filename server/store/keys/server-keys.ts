import { join } from 'node:path';
import { SealBrokenError, ValueSeal } from './value-seal.js';
import type { Database } from '../database.js';
import { KEY_FILE, openKeys, type ServerKeys } from './key-file.js';

/** Where the master key comes from. */
export interface KeySource {
  readonly dataDir: string;
  /** Undefined: the data folder keeps one. */
  readonly encryptionKey: Uint8Array | undefined;
}

/** The key is not the one that the token values of the database are sealed with. */
export class EncryptionKeyError extends Error {
  override name = 'EncryptionKeyError';

  constructor({ dataDir, encryptionKey }: KeySource) {
    const key = encryptionKey ? 'ENCRYPTION_KEY' : `the key file ${join(dataDir, KEY_FILE)}`;
    super(
      `${key} is not the key that the tokens of this database are sealed with: set ENCRYPTION_KEY to the key of the other servers on the database, or bring back the master.key of the server that made it`,
    );
  }
}

/** The check has one row. */
const ONLY = 1;
const CHECK_TEXT = 'streamgate';
const CHECK_CONTEXT = 'seal check v1';

/** Of a database from before the check: tokens that are tried. One that opens is enough, as single ones may be damaged. */
const TOKENS_TRIED = 1_000;

/**
 * The keys of this server, once it is certain that they are those of the database: the first to come leaves a sealed
 * text there, in one step, and everybody else must be able to open it. A data folder gets a key of its own only for a
 * database that has none yet.
 * @throws {EncryptionKeyError}
 * @throws {DataDirError} the key file is missing, or cannot be used
 */
export async function openServerKeys(db: Database, source: KeySource): Promise<ServerKeys> {
  const { dataDir, encryptionKey } = source;
  const present = await readCheck(db);
  const mayMakeKey = present === undefined && !(await hasTokens(db));
  const keys = openKeys(dataDir, encryptionKey, { mayMakeKey });
  const seal = new ValueSeal(keys.sealKey);
  const opens =
    present === undefined ? await leaveCheck(db, seal) : canOpen(seal, { sealed: present, context: CHECK_CONTEXT });
  if (!opens) throw new EncryptionKeyError(source);
  return keys;
}

async function readCheck(db: Pick<Database, 'selectFrom'>): Promise<string | undefined> {
  const row = await db.selectFrom('seal_check').select('sealed').where('id', '=', ONLY).executeTakeFirst();
  return row?.sealed;
}

/** @returns false, and leaves nothing, if the seal opens neither another's check nor any of the tokens that are there */
async function leaveCheck(db: Database, seal: ValueSeal): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    // Of several at once one inserts. The others wait here for the end of its transaction.
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('seal_check')
      .values({ id: ONLY, sealed: seal.seal(CHECK_TEXT, CHECK_CONTEXT) })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow();
    if (!numInsertedOrUpdatedRows) {
      const sealed = await readCheck(trx);
      return sealed !== undefined && canOpen(seal, { sealed, context: CHECK_CONTEXT });
    }
    const tokens = await trx
      .selectFrom('token')
      .select(['value_sealed', 'value_hash'])
      .orderBy('id')
      .limit(TOKENS_TRIED)
      .execute();
    const opens =
      tokens.length === 0 ||
      tokens.some(({ value_sealed, value_hash }) => canOpen(seal, { sealed: value_sealed, context: value_hash }));
    if (!opens) await trx.deleteFrom('seal_check').where('id', '=', ONLY).execute();
    return opens;
  });
}

/** Whether the database holds any token: one that does is of use only with the key that sealed it. */
async function hasTokens(db: Database): Promise<boolean> {
  return (await db.selectFrom('token').select('id').limit(1).executeTakeFirst()) !== undefined;
}

function canOpen(seal: ValueSeal, { sealed, context }: { readonly sealed: string; readonly context: string }): boolean {
  try {
    seal.open(sealed, context);
    return true;
  } catch (error) {
    if (error instanceof SealBrokenError) return false;
    throw error;
  }
}
