import { MAX_UPSTREAMS, type SetUpstream } from '../../src/wire/management/upstream.js';
import { ConflictError, InvalidRequestError, NotFoundError } from '../errors.js';
import type { TargetAddresses } from '../outbound/target-addresses.js';
import type { UpstreamStore } from './upstream-store.js';
import { changedUpstream, type StoredUpstream, type Upstream } from './upstream.js';

export interface UpstreamServiceOptions {
  readonly store: Pick<UpstreamStore, 'list' | 'set' | 'remove'>;
  readonly addresses: Pick<TargetAddresses, 'refuses'>;
  /** Something was changed. Absent: no server runs in this process. */
  readonly onChanged?: () => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** The upstreams of accounts. */
export class UpstreamService {
  readonly #options: UpstreamServiceOptions;
  readonly #now: () => number;

  constructor(options: UpstreamServiceOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** In the order of the stream names, that of all streams first. */
  async list(accountId: string): Promise<readonly StoredUpstream[]> {
    return await this.#options.store.list(accountId);
  }

  /**
   * Adds or replaces the upstream of a stream, or of all. The account must exist.
   * @throws {InvalidRequestError} `upstream_address_refused` @throws {ConflictError} `upstreams_full`
   */
  async set(accountId: string, { streamName, software, ...given }: SetUpstream): Promise<Upstream> {
    const { publishUrl, viewUrl, statusUrl, publishToken, viewToken, statusToken } = given;
    for (const [name, url] of Object.entries({ publishUrl, viewUrl, statusUrl })) this.#checkUrl(name, url);
    const fields = {
      accountId,
      streamName,
      software,
      urls: { publish: publishUrl, view: viewUrl, status: statusUrl },
      tokens: { publish: publishToken, view: viewToken, status: statusToken },
    };
    const key = { accountId, streamName };
    const upstream = await this.#options.store.set(key, (before) => changedUpstream(before, fields), this.#now());
    if (upstream === 'full') {
      throw new ConflictError('upstreams_full', `This account has ${MAX_UPSTREAMS} upstreams; remove one first`);
    }
    await this.#options.onChanged?.();
    return upstream;
  }

  /** The server carries the streams again. @throws {NotFoundError} `upstream_not_found` */
  async remove(accountId: string, streamName: string | null): Promise<void> {
    if (!(await this.#options.store.remove({ accountId, streamName }, this.#now()))) {
      const of = streamName === null ? 'for all streams' : `for the stream ${streamName}`;
      throw new NotFoundError('upstream_not_found', `This account has no upstream ${of}`);
    }
    await this.#options.onChanged?.();
  }

  #checkUrl(field: string, url: string): void {
    if (!this.#options.addresses.refuses(new URL(url).hostname)) return;
    const message =
      'must not be an address of a private network, unless the operator of the server allows that network';
    throw new InvalidRequestError({ [field]: [message] }, { code: 'upstream_address_refused' });
  }
}
