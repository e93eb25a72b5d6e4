import * as z from 'zod/mini';
import { accountLimitsBody, type AccountLimitsBody } from '../wire/management/account-limits.js';
import type { ManagementConnection } from './management-connection.js';

const limitsAnswer = z.object({ status: z.literal('success'), data: accountLimitsBody });

/** What the operator of the server permits the account. Throws {@link ManagementError}. */
export class LimitCalls {
  readonly #connection: ManagementConnection;

  constructor(connection: ManagementConnection) {
    this.#connection = connection;
  }

  /** The limits, and the sessions that are open now. */
  async get(): Promise<AccountLimitsBody> {
    return (await this.#connection.call(limitsAnswer, { method: 'GET', path: '/api/account/limits' })).data;
  }
}
