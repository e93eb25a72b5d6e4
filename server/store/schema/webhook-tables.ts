import type { Generated } from 'kysely';
import type { CallFault, DeliveryState } from '../../../src/wire/management/webhook.js';

export interface WebhookTable {
  id: Generated<number>;
  account_id: string;
  url: string;
  description: string;
  /** JSON: a list of event types. */
  events: string;
  /** See value-seal.ts; the context is the id. */
  key_sealed: string;
  old_key_sealed: string | null;
  old_key_expires_on: number | null;
  /** Null, as `disabled_on`: it is active. */
  disabled_reason: 'owner' | 'gone' | null;
  disabled_on: number | null;
  created_on: number;
  updated_on: number;
}

/** What is sent to webhooks, and what was. */
export interface WebhookDeliveryTable {
  id: Generated<number>;
  webhook_id: number;
  event_id: string;
  type: string;
  /** Of the rows of a webhook with the same key that wait, only the first is sent. */
  order_key: string;
  /** JSON. */
  payload: string;
  state: DeliveryState;
  created_on: number;
  /** When it can be claimed: for the next call, or because the server that claimed it is lost. */
  due_on: number;
  /** Of the server that makes the call now. */
  claim: string | null;
  attempts: number;
  last_on: number | null;
  last_status: number | null;
  last_fault: CallFault | null;
  last_duration_ms: number | null;
}

/** The tokens that somebody has used. */
export interface TokenFirstUseTable {
  token_id: number;
  used_on: number;
}

/** The tokens whose expiry was announced, with that expiry. */
export interface TokenExpiryNoticeTable {
  token_id: number;
  expires_on: number;
}

/** The webhooks of accounts, and what was announced to them. */
export interface WebhookTables {
  webhook: WebhookTable;
  webhook_delivery: WebhookDeliveryTable;
  token_first_use: TokenFirstUseTable;
  token_expiry_notice: TokenExpiryNoticeTable;
}
