import * as z from 'zod/mini';
import { themeBody, type ThemeBody, type UpdateTheme } from '../wire/management/theme.js';
import type { ManagementConnection } from './management-connection.js';

const PATH = '/api/account/theme';
const themeAnswer = z.object({ status: z.literal('success'), data: themeBody });
const doneAnswer = z.object({ status: z.literal('success'), data: z.literal(true) });

/** The calls for the look of the hosted pages. Each throws {@link ManagementError}. */
export class ThemeCalls {
  readonly #connection: ManagementConnection;

  constructor(connection: ManagementConnection) {
    this.#connection = connection;
  }

  /** The name, colours and logo of the hosted pages. */
  async get(): Promise<ThemeBody> {
    return (await this.#connection.call(themeAnswer, { method: 'GET', path: PATH })).data;
  }

  /**
   * Changes the given fields; null removes. `logo` is a PNG, JPEG or WebP file in base64.
   * @throws {ManagementError} `contrast_too_low`, `logo_unreadable`, `logo_too_large`
   */
  async update(change: UpdateTheme): Promise<ThemeBody> {
    return (await this.#connection.call(themeAnswer, { method: 'PUT', path: PATH, body: change })).data;
  }

  /** Gives the hosted pages the look of the product again. */
  async reset(): Promise<void> {
    await this.#connection.call(doneAnswer, { method: 'DELETE', path: PATH });
  }
}
