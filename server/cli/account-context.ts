import { resolve } from 'node:path';
import type { AccountStore } from '../accounts/account-store.js';
import { ApiSecretService } from '../accounts/api-secret-service.js';
import { DashboardLogin } from '../accounts/dashboard-login.js';
import { MemberService } from '../accounts/member-service.js';
import type { Config } from '../config/config.js';
import { openDatabase, type OpenDatabaseOptions } from '../store/database.js';
import type { Database } from '../store/schema.js';
import { COMMAND_BUSY_TIMEOUT_MS } from '../store/sqlite/sqlite-database.js';
import { SqlAccountStore } from '../store/tables/sql-account-store.js';
import { SqlApiSecretStore } from '../store/tables/sql-api-secret-store.js';
import { SqlDashboardLoginStore } from '../store/tables/sql-dashboard-login-store.js';
import { SqlPasskeyStore } from '../store/tables/sql-passkey-store.js';
import type { PasskeyStore } from '../accounts/passkeys/passkey-store.js';
import { SqlMemberStore } from '../store/tables/sql-member-store.js';
import { CommandError } from './command.js';

/** The accounts of a data folder, for one command. A server may use the data folder at the same time. */
export interface AccountContext {
  readonly db: Database;
  readonly accounts: AccountStore;
  readonly secrets: ApiSecretService;
  readonly dashboard: DashboardLogin;
  readonly members: MemberService;
  readonly passkeys: PasskeyStore;
  /**
   * The given account, or the only account if none is given.
   * @throws {CommandError} `account_not_found`, `account_ambiguous`
   */
  chooseAccountId(given: string | undefined): Promise<string>;
}

/**
 * Opens the database, does `work`, and closes the database also if `work` fails.
 * @throws {NoDataError} there is no database and `mayMakeData` is false. A command in the wrong folder must not create one.
 */
export async function withAccountContext<Result>(
  { dataDir, databaseUrl }: Config,
  work: (context: AccountContext) => Promise<Result>,
  { mayMakeData = false }: OpenDatabaseOptions = {},
): Promise<Result> {
  const db = await openDatabase(dataDir, databaseUrl, { mayMakeData, busyTimeoutMs: COMMAND_BUSY_TIMEOUT_MS });
  const accounts = new SqlAccountStore(db);
  try {
    return await work({
      db,
      accounts,
      secrets: new ApiSecretService(new SqlApiSecretStore(db)),
      dashboard: new DashboardLogin(new SqlDashboardLoginStore(db)),
      members: new MemberService(new SqlMemberStore(db)),
      passkeys: new SqlPasskeyStore(db),
      chooseAccountId: (given) => chooseAccount(accounts, given, dataDir),
    });
  } finally {
    await db.destroy();
  }
}

async function chooseAccount(accounts: AccountStore, given: string | undefined, dataDir: string): Promise<string> {
  const ids = (await accounts.list()).map(({ id }) => id);
  const where = `in ${resolve(dataDir)}`;
  if (given !== undefined) {
    if (ids.includes(given)) return given;
    throw new CommandError('account_not_found', `There is no account ${given} ${where}. There are: ${ids.join(', ')}`);
  }
  const [only, ...more] = ids;
  if (only === undefined) {
    const next = 'Start the server once, or create an account: streamgate account create ID';
    throw new CommandError('account_not_found', `There is no account ${where}. ${next}`);
  }
  if (more.length > 0) {
    throw new CommandError('account_ambiguous', `Name one account with --account. There are: ${ids.join(', ')}`);
  }
  return only;
}
