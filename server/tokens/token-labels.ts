import type { TokenDirectory } from './token-directory.js';

/** Names tokens for people, who do not remember ids. */
export interface TokenLabels {
  /** By id. None of a token without a label, of one that is deleted, and of one of another account. */
  of(accountId: string, ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

/** From memory, so that what is live is shown without the database. */
export const directoryLabels = (directory: Pick<TokenDirectory, 'findById'>): TokenLabels => ({
  async of(accountId, ids) {
    const found = ids.flatMap((id): [number, string][] => {
      const token = directory.findById(id);
      return token && token.accountId === accountId && token.label !== '' ? [[id, token.label]] : [];
    });
    return new Map(found);
  },
});
