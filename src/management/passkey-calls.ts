import * as z from 'zod/mini';
import {
  passkeyBody,
  passkeyCreationOptions,
  passkeyList,
  type AddPasskey,
  type PasskeyBody,
  type PasskeyCreationOptions,
  type UpdatePasskey,
} from '../wire/management/passkey.js';
import type { ManagementConnection } from './management-connection.js';

const PATH = '/api/account/passkeys';
const optionsAnswer = z.object({ status: z.literal('success'), data: passkeyCreationOptions });
const passkeyAnswer = z.object({ status: z.literal('success'), data: passkeyBody });
const doneAnswer = z.object({ status: z.literal('success'), data: z.literal(true) });

/** The calls for the passkeys of the member who is logged in. Each throws {@link ManagementError}. */
export class PasskeyCalls {
  readonly #connection: ManagementConnection;

  constructor(connection: ManagementConnection) {
    this.#connection = connection;
  }

  /** The oldest first. */
  async list(): Promise<readonly PasskeyBody[]> {
    return (await this.#connection.call(passkeyList, { method: 'GET', path: PATH })).data;
  }

  /** What a browser needs to make a passkey (WebAuthn). Its challenge can be answered once, within five minutes. */
  async creationOptions(): Promise<PasskeyCreationOptions> {
    return (await this.#connection.call(optionsAnswer, { method: 'POST', path: `${PATH}/options` })).data;
  }

  /** Adds the credential that a browser made from `creationOptions`. */
  async add(fields: AddPasskey): Promise<PasskeyBody> {
    return (await this.#connection.call(passkeyAnswer, { method: 'POST', path: PATH, body: fields })).data;
  }

  /** @throws {ManagementError} `passkey_not_found` */
  async rename(id: string, change: UpdatePasskey): Promise<PasskeyBody> {
    return (await this.#connection.call(passkeyAnswer, { method: 'PUT', path: pathOf(id), body: change })).data;
  }

  /** @throws {ManagementError} `passkey_not_found` */
  async remove(id: string): Promise<void> {
    await this.#connection.call(doneAnswer, { method: 'DELETE', path: pathOf(id) });
  }
}

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}
