import * as z from 'zod/mini';
import { upstreamBody, upstreamList, type SetUpstreamInput, type UpstreamBody } from '../wire/management/upstream.js';
import type { ManagementConnection } from './management-connection.js';

const PATH = '/api/upstreams';
const upstreamAnswer = z.object({ status: z.literal('success'), data: upstreamBody });
const doneAnswer = z.object({ status: z.literal('success'), data: z.literal(true) });

/** The calls for the servers that carry the media of streams instead of this one. Each throws {@link ManagementError}. */
export class UpstreamCalls {
  readonly #connection: ManagementConnection;

  constructor(connection: ManagementConnection) {
    this.#connection = connection;
  }

  /** In the order of the stream names, that of all streams first. */
  async list(): Promise<readonly UpstreamBody[]> {
    return (await this.#connection.call(upstreamList, { method: 'GET', path: PATH })).data;
  }

  /**
   * Adds or replaces the upstream of a stream; without `streamName`, of all streams.
   * @throws {ManagementError} `upstream_address_refused`, `upstreams_full`
   */
  async set(upstream: SetUpstreamInput): Promise<UpstreamBody> {
    return (await this.#connection.call(upstreamAnswer, { method: 'PUT', path: PATH, body: upstream })).data;
  }

  /** @param streamName null: the upstream of all streams @throws {ManagementError} `upstream_not_found` */
  async remove(streamName: string | null): Promise<void> {
    const query = streamName === null ? {} : { streamName };
    await this.#connection.call(doneAnswer, { method: 'DELETE', path: PATH, query });
  }
}
