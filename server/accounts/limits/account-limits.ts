/** What an account may use at most. Null: as much as it likes. */
export interface AccountLimits {
  /** Sessions of broadcasters and viewers at the same time, on all servers. */
  readonly maxSessions: number | null;
  /** Calls of the management API by secrets and keys in a minute, on each server. */
  readonly maxCalls: number | null;
}

export const NO_LIMITS: AccountLimits = Object.freeze({ maxSessions: null, maxCalls: null });

/** Every implementation passes test/server/store/tables/account-limit-store.contract.ts. */
export interface AccountLimitStore {
  /** Of the accounts that have any. */
  all(): Promise<ReadonlyMap<string, AccountLimits>>;
  /** Changes the given limits. The account must exist. */
  update(accountId: string, change: Partial<AccountLimits>, now: number): Promise<AccountLimits>;
}

/** The limits of all accounts, in memory, because the rules read them with each decision. */
export class KnownLimits {
  readonly #store: Pick<AccountLimitStore, 'all'>;
  #limits: ReadonlyMap<string, AccountLimits> = new Map();
  #ids: ReadonlySet<string> = new Set();

  constructor(store: Pick<AccountLimitStore, 'all'>) {
    this.#store = store;
  }

  of(accountId: string): AccountLimits {
    return this.#limits.get(accountId) ?? NO_LIMITS;
  }

  /** The accounts that have any limit. */
  get accountIds(): ReadonlySet<string> {
    return this.#ids;
  }

  /** Reads what the operator has changed, on any server. @throws {ApiError} the database does not answer */
  async read(): Promise<void> {
    this.#limits = await this.#store.all();
    this.#ids = new Set(this.#limits.keys());
  }
}
