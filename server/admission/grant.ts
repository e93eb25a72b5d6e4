import type { SignedRestrictions } from '../tokens/compiled-token.js';

/** What an admitted caller may do on the websocket, once and within a minute. */
export interface Grant {
  readonly role: 'Publish' | 'Subscribe';
  readonly accountId: string;
  readonly streamName: string;
  /** Names the session to be; 32 hex digits. A grant is spent by it. */
  readonly sessionId: string;
  /** The token that admitted the caller; null for viewers who came without one. */
  readonly tokenId: number | null;
  /** `print` of that token's value: what it is refreshed to admits nobody who came with this one. */
  readonly tokenPrint: string | null;
  /** What a self-signed token restricts its parent to. The session is held to it whatever becomes of the parent. */
  readonly signed: SignedRestrictions | null;
  /** Where the caller was when it was admitted last, to decide by again. */
  readonly origin: string | null;
  readonly address: string;
  /** Publishers who come back after a drop: the session whose source they may take. */
  readonly resumes: string | null;
}

/** Where a caller is: the origin of its page, if it has one, and its address. */
export type RequestContext = Pick<Grant, 'origin' | 'address'>;

/** How long a grant is good for, from the director's answer to the websocket's upgrade. */
export const GRANT_LIFETIME_S = 60;
