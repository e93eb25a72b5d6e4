import { tokenExpiring, tokenFirstUsed } from '../../webhooks/occurrence.js';
import type { ExpiryWindow, TokenEventStore, TokenUse } from '../../webhooks/webhook-store.js';
import type { Database } from '../schema.js';
import { writeOccurrence } from './sql-webhook-outbox.js';

export class SqlTokenEventStore implements TokenEventStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async noteUses(uses: readonly TokenUse[]): Promise<void> {
    if (uses.length === 0) return;
    const byToken = new Map(uses.map((use) => [use.tokenId, use]));
    await this.#db.transaction().execute(async (trx) => {
      // In the order of ids: two servers that note the same tokens never wait for each other.
      const tokens = await trx
        .selectFrom('token')
        .select(['id', 'account_id', 'kind', 'label'])
        .where('id', 'in', [...byToken.keys()])
        .orderBy('id')
        .execute();
      for (const { id, account_id: accountId, kind, label } of tokens) {
        const tokenId = Number(id);
        const { streamName, time } = byToken.get(tokenId)!;
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('token_first_use')
          .values({ token_id: tokenId, used_on: time })
          .onConflict((conflict) => conflict.column('token_id').doNothing())
          .executeTakeFirstOrThrow();
        if (!numInsertedOrUpdatedRows) continue;
        await writeOccurrence(trx, tokenFirstUsed({ accountId, streamName, time }, { tokenId, kind, label }));
      }
    });
  }

  async announceExpiries({ now, by, shortestLife, most }: ExpiryWindow): Promise<number> {
    return await this.#db.transaction().execute(async (trx) => {
      const tokens = await trx
        .selectFrom('token')
        .select(['id', 'account_id', 'kind', 'label', 'expires_on'])
        .where('expires_on', '>', now)
        .where('expires_on', '<=', by)
        .where('is_active', '=', 1)
        // The expiry is between two times here: a difference of two stored numbers could be too large for the column.
        .where((eb) => eb('added_on', '<=', eb('expires_on', '-', shortestLife)))
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('webhook')
              .select('webhook.id')
              .whereRef('webhook.account_id', '=', 'token.account_id')
              .where('webhook.disabled_reason', 'is', null)
              .where('webhook.events', 'like', '%"token.expiring"%'),
          ),
        )
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('token_expiry_notice as notice')
                .select('notice.token_id')
                .whereRef('notice.token_id', '=', 'token.id')
                .whereRef('notice.expires_on', '=', 'token.expires_on'),
            ),
          ),
        )
        .orderBy('id')
        .limit(most)
        .execute();
      for (const { id, account_id: accountId, kind, label, expires_on } of tokens) {
        const tokenId = Number(id);
        const expiresOn = Number(expires_on);
        // Another server may be announcing it: only one changes the row.
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('token_expiry_notice')
          .values({ token_id: tokenId, expires_on: expiresOn })
          .onConflict((conflict) =>
            conflict
              .column('token_id')
              .doUpdateSet({ expires_on: expiresOn })
              .where('token_expiry_notice.expires_on', '<>', expiresOn),
          )
          .executeTakeFirstOrThrow();
        if (!numInsertedOrUpdatedRows) continue;
        await writeOccurrence(trx, tokenExpiring({ accountId, time: now }, { tokenId, kind, label }, expiresOn));
      }
      return tokens.length;
    });
  }
}
