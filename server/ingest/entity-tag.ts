/** Any number of entity tags with commas between (RFC 9110 8.8.3). */
const TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/**
 * What `If-Match` says of a resource whose strong entity tag is `current` (RFC 9110 13.1.1), without its quotes.
 * RFC 9725 writes the asterisk in quotes in its examples: both ways stand for any.
 */
export function ifMatch(header: string | undefined, current: string): 'absent' | 'matches' | 'differs' {
  if (header === undefined) return 'absent';
  if (header.trim() === '*') return 'matches';
  const tags = [...header.matchAll(TAG)];
  return tags.some(([, weak, tag]) => !weak && (tag === current || tag === '*')) ? 'matches' : 'differs';
}
