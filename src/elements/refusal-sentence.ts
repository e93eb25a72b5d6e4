import type { RefusalReason } from '../client/errors.js';

/** What a refusal means to the person in front of it, and whether asking again can help. */
export interface RefusalSentence {
  readonly title: string;
  readonly next: string;
  readonly worthRetrying: boolean;
}

const ask = 'Ask for a new link.';
const invalid = { title: 'This link is not valid', next: ask, worthRetrying: false };

const elsewhere = { title: 'Not from here', next: 'This link works in other places.', worthRetrying: false };

const sentences: Readonly<Record<string, RefusalSentence>> = {
  token_missing: {
    title: 'This stream is private',
    next: 'Open it with the link you were given.',
    worthRetrying: false,
  },
  token_unknown: invalid,
  token_wrong_kind: invalid,
  token_disabled: { title: 'This link was switched off', next: ask, worthRetrying: true },
  token_expired: { title: 'This link has expired', next: ask, worthRetrying: false },
  stream_not_permitted: { title: 'This link is for another stream', next: ask, worthRetrying: false },
  origin_not_allowed: { title: 'Not on this page', next: 'This link works on other pages.', worthRetrying: false },
  address_not_allowed: elsewhere,
  address_not_bound: elsewhere,
  stream_not_live: {
    title: 'Nothing is live here',
    next: 'The stream has not begun, or it is over.',
    worthRetrying: true,
  },
  stream_in_use: {
    title: 'This name is on the air',
    next: 'Somebody is live with it now. Try again when they have stopped.',
    worthRetrying: true,
  },
  replaced: { title: 'This goes on elsewhere', next: 'It was opened in another place.', worthRetrying: true },
};

/** Words that this client does not know are told in the service's own sentence. */
export function refusalSentence(reason: RefusalReason, message: string): RefusalSentence {
  return sentences[reason] ?? { title: 'The service said no', next: message, worthRetrying: true };
}
