import type { Config } from '../config.js';
import { NotFoundError } from '../errors.js';
import type { Database } from '../store/database.js';
import { openKeys } from '../store/key-file.js';
import { hasTokens, SqlTokenStore } from '../store/sql-token-store.js';
import { TokenDirectory } from '../tokens/token-directory.js';
import type { TokenRecord } from '../tokens/token-record.js';
import { TokenService } from '../tokens/token-service.js';
import { ValueSeal } from '../tokens/value-seal.js';

export interface TokenDesk {
  readonly service: TokenService;
  /**
   * Of whichever kind: ids are not given twice.
   * @throws {NotFoundError} `token_not_found`
   */
  find(accountId: string, id: number): Promise<TokenRecord>;
}

export async function openTokenDesk({ dataDir, encryptionKey }: Config, db: Database): Promise<TokenDesk> {
  const { sealKey } = openKeys(dataDir, encryptionKey, { mayMakeKey: !(await hasTokens(db)) });
  const store = new SqlTokenStore(db, new ValueSeal(sealKey));
  return {
    service: new TokenService({ store, directory: new TokenDirectory() }),
    async find(accountId, id) {
      const token = await store.find(id);
      if (token?.accountId === accountId) return token;
      throw new NotFoundError('token_not_found', `No token with id: ${id}`);
    },
  };
}
