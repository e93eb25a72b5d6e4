import type { AuditBody } from '../../../wire/management/audit.js';
import type { AuditMessages } from './messages/audit-messages.js';

/** A person or a thing as an entry shows it: what it is, and what it is called. */
export interface EntryName {
  /** Empty: the name says it. */
  readonly word: string;
  /** Undefined: it has none, or nobody knows it any more. */
  readonly name: string | undefined;
}

/** The login begins or ends with the entry, so that the member is the target. */
const LOGINS: ReadonlySet<string> = new Set(['dashboard_opened', 'dashboard_closed']);

/** Who made a change. Ids tell people nothing, so only a key without a name has one, and what another program is called. */
export function actorName(
  { actor: { by, id, name }, action }: Pick<AuditBody, 'actor' | 'action'>,
  { actors, operatorLink }: Pick<AuditMessages, 'actors' | 'operatorLink'>,
): EntryName {
  const words: Readonly<Record<string, string>> = actors;
  const word = words[by] ?? by;
  switch (by) {
    case 'dashboard':
      return name ? { word: '', name } : { word: LOGINS.has(action) ? word : operatorLink, name: undefined };
    case 'secret':
      return { word, name: undefined };
    default:
      return { word, name: name ?? id ?? undefined };
  }
}

/** What was changed, as people call it. Undefined: the action says it. */
export function targetName(
  { target: { kind, id, name } }: Pick<AuditBody, 'target'>,
  { targets }: Pick<AuditMessages, 'targets'>,
): EntryName | undefined {
  const word = targets[kind];
  // The account itself, or a kind of a later server.
  if (word === undefined) return undefined;
  if (name) return { word, name };
  // The id of a login or a link is random, and the upstream of the whole account has none.
  return kind.startsWith('dashboard_') || id === '' ? undefined : { word, name: id };
}
