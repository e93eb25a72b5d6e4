import * as z from 'zod/mini';
import { loginList, loginsEnded, type LoginBody } from '../wire/management/login.js';
import type { ManagementConnection } from './management-connection.js';

const PATH = '/api/account/logins';
const doneAnswer = z.object({ status: z.literal('success'), data: z.literal(true) });

/** The calls for the browsers that are logged in to the dashboard. Each throws {@link ManagementError}. */
export class LoginCalls {
  readonly #connection: ManagementConnection;

  constructor(connection: ManagementConnection) {
    this.#connection = connection;
  }

  /** The browsers that are logged in to the account, the last seen first. */
  async list(): Promise<readonly LoginBody[]> {
    return (await this.#connection.call(loginList, { method: 'GET', path: PATH })).data;
  }

  /** Logs one browser out, at once on every server. @throws {ManagementError} `login_not_found` */
  async end(id: string): Promise<void> {
    const request = { method: 'DELETE', path: `${PATH}/${encodeURIComponent(id)}` } as const;
    await this.#connection.call(doneAnswer, request);
  }

  /** Logs every browser out, except the one that calls. @returns how many */
  async endOthers(): Promise<number> {
    return (await this.#connection.call(loginsEnded, { method: 'DELETE', path: PATH })).data.ended;
  }
}
