/** What a URL of PostgreSQL must be like. */
const LIKE = 'must be like postgres://user:password@db.example.com:5432/streamgate';
/** In a password, these end a part of the URL. */
const CODES = '# as %23, / as %2F, ? as %3F, : as %3A, @ as %40, % as %25';

/**
 * What is wrong with a URL that the driver of PostgreSQL is to take: with the host before or behind the question mark, or
 * the folder of a Unix socket. The text shows nothing of the URL, which has a password.
 * @returns undefined: nothing
 */
export function databaseUrlFault(text: string): string | undefined {
  const [, rest] = /^postgres(?:ql)?:\/\/([^]*)$/.exec(text) ?? [];
  if (rest === undefined) return LIKE;
  // The driver takes an empty host after a user as well, which `URL` does not.
  const url = URL.parse(text) ?? URL.parse(text.replace(/@(?=[:/?]|$)/, '@localhost'));
  const isCut = url !== null && [url.pathname, url.search, url.hash].some((part) => part.includes('@'));
  if (isCut || (url === null && rest.includes('@')) || url?.hash) {
    return `has a character in its password that must be written as a code: ${CODES}`;
  }
  return url === null ? LIKE : undefined;
}
