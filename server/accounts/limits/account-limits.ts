import { Emitter } from '../../faults/emitter.js';

/** What an account may use at most. Null: as much as it likes. */
export interface AccountLimits {
  /** Sessions of broadcasters and viewers at the same time, on all servers. */
  readonly maxSessions: number | null;
  /** Calls of the management API by secrets and keys in a minute, on each server. */
  readonly maxCalls: number | null;
  /** What each publisher may send, of sound and picture together, in bit/s. */
  readonly maxPublishBitrate: number | null;
}

export const NO_LIMITS: AccountLimits = Object.freeze({ maxSessions: null, maxCalls: null, maxPublishBitrate: null });

/** Every implementation passes test/server/store/tables/account-limit-store.contract.ts. */
export interface AccountLimitStore {
  /** Of the accounts that have any. */
  all(): Promise<ReadonlyMap<string, AccountLimits>>;
  /** Changes the given limits. The account must exist. */
  update(accountId: string, change: Partial<AccountLimits>, now: number): Promise<AccountLimits>;
}

export interface KnownLimitsEvents {
  changed: [accountId: string];
}

/** The limits of all accounts, in memory, because the rules read them with each decision. */
export class KnownLimits extends Emitter<KnownLimitsEvents> {
  readonly #store: Pick<AccountLimitStore, 'all'>;
  #limits: ReadonlyMap<string, AccountLimits> = new Map();
  #ids: ReadonlySet<string> = new Set();

  constructor(store: Pick<AccountLimitStore, 'all'>) {
    super('accounts');
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
    const before = this.#limits;
    this.#limits = await this.#store.all();
    this.#ids = new Set(this.#limits.keys());
    for (const accountId of new Set([...before.keys(), ...this.#ids])) {
      if (!sameLimits(before.get(accountId) ?? NO_LIMITS, this.of(accountId))) this.emit('changed', accountId);
    }
  }
}

function sameLimits(some: AccountLimits, others: AccountLimits): boolean {
  return (Object.keys(NO_LIMITS) as (keyof AccountLimits)[]).every((name) => some[name] === others[name]);
}
