export interface Account {
  /** As `accountId` in src/wire/account.ts says. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly createdOn: number;
}

export const FIRST_ACCOUNT = 'main';

/** Every implementation passes test/server/store/tables/account-store.contract.ts. */
export interface AccountStore {
  /** Undefined when the id is taken. */
  create(id: string): Promise<Account | undefined>;
  get(id: string): Promise<Account | undefined>;
  /** In order of creation. */
  list(): Promise<Account[]>;
  /** Makes the account `main` where there is none at all, and says whether it did: then this is a first start. */
  ensureFirstAccount(): Promise<boolean>;
}
