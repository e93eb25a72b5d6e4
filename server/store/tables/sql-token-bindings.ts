import type { Transaction } from 'kysely';
import type { BoundIp, TokenRecord } from '../../tokens/token-record.js';
import type { BindingOutcome, BindingResult } from '../../tokens/token-store.js';
import type { Database } from '../schema.js';
import type { Schema } from '../schema.js';
import { incrementRevision } from './sql-token-rows.js';

type FindToken = (db: Database | Transaction<Schema>, id: number) => Promise<TokenRecord | undefined>;

/** The addresses that tokens bind by use: each takes a place while there is one, and keeps it. */
export class SqlTokenBindings {
  readonly #db: Database;
  readonly #find: FindToken;
  /** By token: the last who asks for a place. */
  readonly #binding = new Map<number, Promise<BindingResult>>();

  constructor(db: Database, find: FindToken) {
    this.#db = db;
    this.#find = find;
  }

  /** As in {@link TokenStore}. */
  async bind(id: number, address: string, now: number): Promise<BindingResult> {
    const answer = this.#bindAfter(this.#binding.get(id), id, address, now);
    this.#binding.set(id, answer);
    try {
      return await answer;
    } finally {
      if (this.#binding.get(id) === answer) this.#binding.delete(id);
    }
  }

  async #bindAfter(
    ahead: Promise<BindingResult> | undefined,
    id: number,
    address: string,
    now: number,
  ): Promise<BindingResult> {
    // Who has a place keeps it, and that all are taken stays so, until the token is changed: no lock for them. Of many
    // who come at once most are answered by what the one ahead has just seen.
    const seen = await ahead?.then(({ token }) => token).catch(() => undefined);
    const token = seen ?? (await this.#find(this.#db, id));
    const binding = bindingOf(token, address);
    if (binding !== 'bound') return { binding, token };
    return await this.#db.transaction().execute(async (trx) => {
      // Who comes next waits for the lock, and then sees the place taken.
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

/** Bindings are added by {@link SqlTokenBindings} alone; a change can only give places back. */
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
