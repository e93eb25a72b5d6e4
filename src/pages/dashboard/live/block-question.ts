import { html, nothing, type TemplateResult } from 'lit';
import type { SessionBody } from '../../../wire/management/session.js';
import { confirmation } from '../dialog-contents.js';
import type { PageChanges } from '../page-changes.js';
import type { TokenKind } from '../tokens/token-kind.js';
import { tokenWord } from '../token-word.js';
import type { LiveMessages } from './messages/live-messages.js';
import type { PageTexts } from '../page-context.js';

/** A session whose address can be blocked on its token. */
export interface BlockableSession extends SessionBody {
  readonly tokenId: number;
  readonly address: string;
}

/** Whether the address of the session is known, and a token admitted it: the one that signed, for a self-signed token. */
export function isBlockable(session: SessionBody): session is BlockableSession {
  return session.tokenId !== null && session.address !== null;
}

export const kindOf = ({ role }: SessionBody): TokenKind => (role === 'publisher' ? 'publish' : 'subscribe');

/** The sessions that a block ends. */
export interface SessionsFrom {
  readonly count: number;
  /** False: there are so many that not all were counted. */
  readonly isAll: boolean;
}

export interface BlockQuestion {
  readonly name: 'block';
  readonly session: BlockableSession;
  /** Undefined: not known yet, or it cannot be read. */
  readonly ends: SessionsFrom | undefined;
}

/** Asks before an address is blocked, and says what that does. */
export function blockQuestion(
  { session, ends }: BlockQuestion,
  { changes, onConfirm }: { changes: PageChanges; onConfirm: () => void },
  { messages, common, language }: PageTexts<LiveMessages>,
): TemplateResult {
  const { address, streamName } = session;
  const token = tokenWord(session, common);
  const count = ends && ends.count.toLocaleString(language) + (ends.isAll ? '' : '+');
  const details = html`
    ${address.includes('/') ? html`<p class="soft">${messages.blockNetwork}</p>` : nothing}
    <p role="status">${count === undefined ? nothing : messages.blockEnds(streamName, count)}</p>
  `;
  return confirmation(
    {
      title: messages.blockQuestion(address, token),
      effect: messages.blockEffect[kindOf(session)](address, token),
      details,
      action: messages.block,
    },
    { changes, common, onConfirm },
  );
}
