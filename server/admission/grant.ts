/** What an admitted caller may do on the websocket, once and within a minute. */
export interface Grant {
  readonly role: 'Publish' | 'Subscribe';
  readonly accountId: string;
  readonly streamName: string;
  /** Names the session to be; 32 hex digits. A grant is spent by it. */
  readonly sessionId: string;
  /** The token that admitted the caller; null for viewers who came without one. */
  readonly tokenId: number | null;
  /** Publishers who come back after a drop: the session whose place they may take. */
  readonly resumes: string | null;
}

/** How long a grant is good for, from the director's answer to the websocket's upgrade. */
export const GRANT_LIFETIME_S = 60;
