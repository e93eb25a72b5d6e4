import * as z from 'zod/mini';
import {
  passwordOptions,
  passwordState,
  type PasswordOptions,
  type PasswordState,
  type SetPassword,
} from '../wire/management/password.js';
import type { ManagementConnection } from './management-connection.js';

const PATH = '/api/account/password';
const stateAnswer = z.object({ status: z.literal('success'), data: passwordState });
const optionsAnswer = z.object({ status: z.literal('success'), data: passwordOptions });
const doneAnswer = z.object({ status: z.literal('success'), data: z.literal(true) });

/** The calls for the password of the member who is logged in. Each throws {@link ManagementError}. */
export class PasswordCalls {
  readonly #connection: ManagementConnection;

  constructor(connection: ManagementConnection) {
    this.#connection = connection;
  }

  async state(): Promise<PasswordState> {
    return (await this.#connection.call(stateAnswer, { method: 'GET', path: PATH })).data;
  }

  /** A new secret for an authenticator app, which becomes the member's by `set`, within ten minutes. */
  async options(): Promise<PasswordOptions> {
    return (await this.#connection.call(optionsAnswer, { method: 'POST', path: `${PATH}/options` })).data;
  }

  /** Sets or replaces the password. @throws {ManagementError} `password_unfit`, `setup_wrong`, `login_name_taken` */
  async set(fields: SetPassword): Promise<PasswordState> {
    return (await this.#connection.call(stateAnswer, { method: 'PUT', path: PATH, body: fields })).data;
  }

  /** @throws {ManagementError} `password_not_found` */
  async remove(): Promise<void> {
    await this.#connection.call(doneAnswer, { method: 'DELETE', path: PATH });
  }
}
