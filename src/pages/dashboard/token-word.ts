import type { DashboardMessages } from './messages/dashboard-messages.js';

/** What a list says of a token. */
export interface ListedToken {
  readonly tokenId: number;
  /** Null or absent: it has no label, it is deleted, or the server is older. */
  readonly tokenLabel?: string | null | undefined;
}

/** What stands after the word for a token: its label in quotes, or else its number. */
export const tokenWord = (
  { tokenId, tokenLabel }: ListedToken,
  { quoted }: Pick<DashboardMessages, 'quoted'>,
): string => (tokenLabel ? quoted(tokenLabel) : String(tokenId));
