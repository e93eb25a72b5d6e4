import * as z from 'zod/mini';
import { activeTokens } from '../wire/management/active-tokens.js';
import { disabledTokens, type DisabledTokens } from '../wire/management/token-disable.js';
import type { CreatePublishTokenInput, UpdatePublishTokenInput } from '../wire/management/token.js';
import type { ManagementConnection } from './management-connection.js';
import { TokenCalls } from './token-calls.js';

const activeAnswer = z.object({ status: z.literal('success'), data: activeTokens });
const disabledAnswer = z.object({ status: z.literal('success'), data: disabledTokens });

const PATH = '/api/publish_token';

/** The calls for publish tokens: those of both kinds of tokens, and more. Each throws {@link ManagementError}. */
export class PublishTokenCalls extends TokenCalls<CreatePublishTokenInput, UpdatePublishTokenInput> {
  readonly #connection: ManagementConnection;

  constructor(connection: ManagementConnection) {
    super(connection, PATH);
    this.#connection = connection;
  }

  /** The ids of the tokens that publish `account/name` now. */
  async active(streamId: string): Promise<readonly number[]> {
    const request = { method: 'GET', path: `${PATH}/active`, query: { streamId } } as const;
    return (await this.#connection.call(activeAnswer, request)).data.tokenIds;
  }

  /** The ids of the tokens that publish any stream of the account now. */
  async activeAll(): Promise<readonly number[]> {
    return (await this.#connection.call(activeAnswer, { method: 'GET', path: `${PATH}/active/all` })).data.tokenIds;
  }

  /** Disables up to 1,000 tokens. The answer lists those that failed, with the reason. */
  async disable(tokenIds: readonly number[]): Promise<DisabledTokens> {
    const request = { method: 'PATCH', path: `${PATH}/disable`, body: { tokenIds } } as const;
    return (await this.#connection.call(disabledAnswer, request)).data;
  }
}
