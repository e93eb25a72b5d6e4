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
  /** Self-signed tokens: when they end, in milliseconds since 1970, whatever becomes of their parent. */
  readonly signedUntil: number | null;
  /** Where the caller was when he was admitted, to decide by again: the page's origin and the address. */
  readonly origin: string | null;
  readonly address: string;
  /** Publishers who come back after a drop: the session whose place they may take. */
  readonly resumes: string | null;
}

/** How long a grant is good for, from the director's answer to the websocket's upgrade. */
export const GRANT_LIFETIME_S = 60;
