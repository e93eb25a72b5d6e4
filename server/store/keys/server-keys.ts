import { join } from 'node:path';
import { SealBrokenError, ValueSeal } from './value-seal.js';
import type { Database } from '../schema.js';
import { KEY_FILE, openKeys, type ServerKeys } from './key-file.js';

/** The source of the master key. */
export interface KeySource {
  readonly dataDir: string;
  /** Undefined: the key file of the data folder. */
  readonly encryptionKey: Uint8Array | undefined;
}

/** The token values of the database are sealed with another key. */
export class EncryptionKeyError extends Error {
  override name = 'EncryptionKeyError';

  constructor({ dataDir, encryptionKey }: KeySource) {
    const key = encryptionKey ? 'ENCRYPTION_KEY' : `the key file ${join(dataDir, KEY_FILE)}`;
    super(
      `${key} is not the key that the tokens of this database are encrypted with: set ENCRYPTION_KEY to the key of the other servers on the database, or restore the master.key of the server that created it`,
    );
  }
}

/** The id of the only row of `seal_check`. */
const CHECK_ID = 1;
const CHECK_TEXT = 'streamgate';
const CHECK_CONTEXT = 'seal check v1';

/**
 * How many tokens are tried on a database that is older than the check. One that opens is enough, because single
 * values may be damaged.
 */
const MAX_TOKENS_TRIED = 1_000;

/**
 * Opens the keys of this server and verifies that they are the keys of the database. The first server stores a sealed
 * text, in one step, and every later server must be able to open it. A key file is created only for a database that
 * has neither that text nor tokens.
 * @throws {EncryptionKeyError}
 * @throws {DataDirError} the key file is missing, or cannot be used
 */
export async function openServerKeys(db: Database, source: KeySource): Promise<ServerKeys> {
  const { dataDir, encryptionKey } = source;
  const stored = await readCheck(db);
  const mayMakeKey = stored === undefined && !(await hasTokens(db));
  const keys = openKeys(dataDir, encryptionKey, { mayMakeKey });
  const seal = new ValueSeal(keys.sealKey);
  const opens =
    stored === undefined
      ? await storeCheck(db, seal)
      : canOpen(seal, { sealed: stored, context: CHECK_CONTEXT }) || (await restoreCheck(db, seal, stored));
  if (!opens) throw new EncryptionKeyError(source);
  return keys;
}

/**
 * Verifies that the keys of `source` open what the database has sealed, and changes nothing.
 * @throws {EncryptionKeyError}
 * @throws {DataDirError} the key file is missing, or cannot be used
 */
export async function verifyServerKeys(db: Pick<Database, 'selectFrom'>, source: KeySource): Promise<void> {
  const stored = await readCheck(db);
  if (stored === undefined && !(await hasTokens(db))) return;
  const seal = new ValueSeal(openKeys(source.dataDir, source.encryptionKey, { mayMakeKey: false }).sealKey);
  const opens =
    stored === undefined ? await opensTokens(db, seal) : canOpen(seal, { sealed: stored, context: CHECK_CONTEXT });
  if (!opens) throw new EncryptionKeyError(source);
}

async function readCheck(db: Pick<Database, 'selectFrom'>): Promise<string | undefined> {
  const row = await db.selectFrom('seal_check').select('sealed').where('id', '=', CHECK_ID).executeTakeFirst();
  return row?.sealed;
}

/** @returns false, and stores nothing, if the seal opens neither the check of another server nor any stored token */
async function storeCheck(db: Database, seal: ValueSeal): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    // When several servers start at once, one inserts the row. The others wait here for the end of its transaction.
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('seal_check')
      .values({ id: CHECK_ID, sealed: seal.seal(CHECK_TEXT, CHECK_CONTEXT) })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow();
    if (!numInsertedOrUpdatedRows) {
      const sealed = await readCheck(trx);
      return sealed !== undefined && canOpen(seal, { sealed, context: CHECK_CONTEXT });
    }
    const opens = await opensTokens(trx, seal);
    if (!opens) await trx.deleteFrom('seal_check').where('id', '=', CHECK_ID).execute();
    return opens;
  });
}

/**
 * Replaces a check that is damaged: of a key that opens most tokens it says nothing. Another key opens none of those that
 * this database sealed. @returns false, and changes nothing, if the key is another one, or there is no token to tell
 */
async function restoreCheck(db: Database, seal: ValueSeal, damaged: string): Promise<boolean> {
  const tokens = await someTokens(db);
  const opened = tokens.filter((token) => canOpen(seal, token));
  if (opened.length * 2 <= tokens.length) return false;
  await db
    .updateTable('seal_check')
    .set({ sealed: seal.seal(CHECK_TEXT, CHECK_CONTEXT) })
    .where('id', '=', CHECK_ID)
    .where('sealed', '=', damaged)
    .execute();
  return true;
}

/** Whether the seal opens any stored token, or there is none. */
async function opensTokens(db: Pick<Database, 'selectFrom'>, seal: ValueSeal): Promise<boolean> {
  const tokens = await someTokens(db);
  return tokens.length === 0 || tokens.some((token) => canOpen(seal, token));
}

async function someTokens(db: Pick<Database, 'selectFrom'>) {
  return await db
    .selectFrom('token')
    .select(['value_sealed as sealed', 'value_hash as context'])
    .orderBy('id')
    .limit(MAX_TOKENS_TRIED)
    .execute();
}

/** A database with tokens is usable only with the key that sealed them. */
async function hasTokens(db: Pick<Database, 'selectFrom'>): Promise<boolean> {
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
