/** In place of a credential. */
const REDACTED = '[redacted]';

/**
 * Where credentials stand in texts. Each pattern has what is kept in its first group. None may match a quotation mark or
 * a backslash, because the text may be JSON.
 */
const PATTERNS: readonly RegExp[] = [
  // The pass of a viewer, the key of a file at a CDN, and the key of a session of WHIP or WHEP: their path admits.
  /(\/api\/(?:rewind\/[^/?\s"\\]+|segments\/[^/?\s"\\]+\/[^/?\s"\\]+|sessions)\/)[^/?\s"\\#]+/gi,
  // Queries have tokens, grants, signatures of links and of S3.
  /(\?)[^\s"\\'<>?=]*=[^\s"\\'<>]*/g,
  // The code of a login link.
  /(#code=)[\w-]+/gi,
  // User name and password of a URL, such as DATABASE_URL.
  /(:\/\/)[^\s/@"\\]+(?=@)/g,
  /(\b(?:Bearer|Basic|Digest)\s+)[\w\-.~+/=]+/gi,
  /(\bstreamgate_session=)[^\s;"\\]+/g,
  // Signed tokens, grants and passes: a JWT.
  /()\beyJ[\w-]{6,}\.[\w-]+(?:\.[\w-]+)?/g,
  // The value of a token.
  /()\b[\da-f]{64}\b/gi,
  // API secrets and keys, login codes and sessions: 256 random bits in base64url, so that all kinds of characters occur.
  /()(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{43,}/g,
];

/** The text without what admits somebody: paths, queries, headers and values that are credentials. */
export function redacted(text: string): string {
  return PATTERNS.reduce((rest, pattern) => rest.replace(pattern, `$1${REDACTED}`), text);
}

/** For pino: every line of the log, with whatever an error or a field of it has. */
export const logRedaction = { hooks: { streamWrite: redacted } } as const;
