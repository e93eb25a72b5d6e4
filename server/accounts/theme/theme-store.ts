import type { Theme } from './theme.js';

/**
 * Stores the themes of accounts. Each change is written to the audit log in the same transaction.
 *
 * Every implementation passes test/server/store/tables/theme-store.contract.ts.
 */
export interface ThemeStore {
  /** Undefined: the account has no theme, or does not exist. */
  find(accountId: string): Promise<Theme | undefined>;
  /** Changes the given fields. @returns the theme after the change */
  update(accountId: string, change: Partial<Theme>, now: number): Promise<Theme>;
  /** @returns false if there was no theme */
  remove(accountId: string, now: number): Promise<boolean>;
}
