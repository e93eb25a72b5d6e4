import type { Transaction } from 'kysely';
import type { BoundIp, TokenRecord } from '../../tokens/token-record.js';
import type { BindingOutcome, BindingResult } from '../../tokens/token-store.js';
import type { Database } from '../schema.js';
import type { Schema } from '../schema.js';
import { incrementRevision } from './sql-token-rows.js';

type FindToken = (db: Database | Transaction<Schema>, id: number) => Promise<TokenRecord | undefined>;

/** Binds addresses to tokens on first use, up to the maximum of each token. */
export class SqlTokenBindings {
  readonly #db: Database;
  readonly #find: FindToken;
  /** By token: the last call in progress. */
  readonly #lastCall = new Map<number, Promise<BindingResult>>();

  constructor(db: Database, find: FindToken) {
    this.#db = db;
    this.#find = find;
  }

  /** As in {@link TokenStore}. */
  async bind(id: number, address: string, now: number): Promise<BindingResult> {
    const call = this.#bindAfter(this.#lastCall.get(id), id, address, now);
    this.#lastCall.set(id, call);
    try {
      return await call;
    } finally {
      if (this.#lastCall.get(id) === call) this.#lastCall.delete(id);
    }
  }

  async #bindAfter(
    ahead: Promise<BindingResult> | undefined,
    id: number,
    address: string,
    now: number,
  ): Promise<BindingResult> {
    // No lock for an address that is bound, or a token that binds no more: both last until the token is changed. Of
    // many concurrent calls, most are decided by the record that the call before them has just read.
    const previous = await ahead?.then(({ token }) => token).catch(() => undefined);
    const token = previous ?? (await this.#find(this.#db, id));
    const binding = bindingOf(token, address);
    if (binding !== 'bound') return { binding, token };
    return await this.#db.transaction().execute(async (trx) => {
      // The next transaction waits for this lock, and then sees the new binding.
      await incrementRevision(trx, id).execute();
      const present = await this.#find(trx, id);
      const outcome = bindingOf(present, address);
      if (!present || outcome !== 'bound') return { binding: outcome, token: present };
      const position = present.boundIps.length;
      await trx.insertInto('token_bound_ip').values({ token_id: id, address, position, bound_on: now }).execute();
      const boundIps = [...present.boundIps, { address, boundOn: now }];
      return { binding: outcome, token: Object.freeze({ ...present, boundIps }) };
    });
  }
}

/** Deletes the bindings that a change of the token removes. Only {@link SqlTokenBindings} adds bindings. */
export async function keepBoundIps(
  trx: Transaction<Schema>,
  id: number,
  present: readonly BoundIp[],
  kept: readonly BoundIp[],
): Promise<void> {
  if (kept.length === present.length) return;
  const addresses = kept.map(({ address }) => address);
  await trx
    .deleteFrom('token_bound_ip')
    .where('token_id', '=', id)
    .$if(addresses.length > 0, (query) => query.where('address', 'not in', addresses))
    .execute();
}

function bindingOf(token: TokenRecord | undefined, address: string): BindingOutcome {
  if (!token) return 'full';
  const { bindIpsOnUsage, boundIps } = token;
  if (bindIpsOnUsage === 0 || boundIps.some((bound) => bound.address === address)) return 'already_bound';
  return boundIps.length < bindIpsOnUsage ? 'bound' : 'full';
}
