export interface Account {
  /** In the form of `accountId` in src/wire. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly createdOn: number;
}

/** The id of the account that a new server creates. */
export const FIRST_ACCOUNT = 'main';

/** Every implementation passes test/server/store/tables/account-store.contract.ts. */
export interface AccountStore {
  /** Undefined if the id is taken. @throws {TypeError} it is not in the form of account ids */
  create(id: string): Promise<Account | undefined>;
  get(id: string): Promise<Account | undefined>;
  /** In order of creation. */
  list(): Promise<Account[]>;
  /** Creates the account `main` if there is no account. @returns whether it did: then this is the first start */
  ensureFirstAccount(): Promise<boolean>;
}
