import * as z from 'zod/mini';
import {
  apiSecretState,
  apiSecretValue,
  type ApiSecretState,
  type ApiSecretValue,
} from '../wire/management/api-secret.js';
import type { ManagementConnection } from './management-connection.js';

const stateAnswer = z.object({ status: z.literal('success'), data: apiSecretState });
const valueAnswer = z.object({ status: z.literal('success'), data: apiSecretValue });
const doneAnswer = z.object({ status: z.literal('success'), data: z.literal(true) });

const PATH = '/api/account/secret';

/**
 * The calls for the API secret of the account. Only a person who is logged in to the dashboard may change it. Each
 * throws {@link ManagementError}.
 */
export class ApiSecretCalls {
  readonly #connection: ManagementConnection;

  constructor(connection: ManagementConnection) {
    this.#connection = connection;
  }

  /** Whether there is a secret, and its last use. */
  async state(): Promise<ApiSecretState> {
    return (await this.#connection.call(stateAnswer, { method: 'GET', path: PATH })).data;
  }

  /** Creates the secret of an account that has none. No later answer has it. */
  async create(): Promise<ApiSecretValue> {
    return (await this.#connection.call(valueAnswer, { method: 'POST', path: PATH })).data;
  }

  /** Replaces the secret. The old one is refused from now on. */
  async refresh(): Promise<ApiSecretValue> {
    return (await this.#connection.call(valueAnswer, { method: 'POST', path: `${PATH}/refresh` })).data;
  }

  /** Deletes the secret. Calls that present it are refused from now on; keys still work. */
  async delete(): Promise<void> {
    await this.#connection.call(doneAnswer, { method: 'DELETE', path: PATH });
  }
}
