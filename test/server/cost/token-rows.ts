import { createHmac, createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { GrantSigner } from '../../../server/admission/grant-signer.js';
import { ResumeTokens } from '../../../server/admission/resume-tokens.js';
import { RewindPasses } from '../../../server/admission/rewind-passes.js';
import { SegmentKeys } from '../../../server/admission/segment-keys.js';
import { addressMatcher } from '../../../server/addresses/ip-ranges.js';
import { RelayPasses } from '../../../server/cluster/relay/relay-pass.js';
import { tokensOfTable } from '../../../server/tokens/import/import-tokens.js';
import { readTokenTable } from '../../../server/tokens/import/token-table.js';
import { compileToken } from '../../../server/tokens/compiled-token.js';
import { checkAddresses, checkOrigins } from '../../../server/tokens/restrictions/canonical-lists.js';
import { originMatcher } from '../../../server/tokens/restrictions/origin-patterns.js';
import { checkPatterns, streamMatcher } from '../../../server/tokens/restrictions/stream-patterns.js';
import { LONGEST_SELF_SIGNED, parentIdOf, readSelfSigned } from '../../../server/tokens/self-signed-token.js';
import { createPublishToken, type StreamRule } from '../../../src/wire/management/token.js';
import { parse } from '../../../server/http/request/parse.js';
import { costRow, MB, repeated, type CheckedRow, type Growing } from '../../support/cost.js';
import { aTokenRecord } from '../../support/token.js';

/** Node takes no more of headers and URL together. */
const MAX_HEAD = 16 * 1024;
/** `MAX_BODY_BYTES` */
const MAX_BODY = 64 * 1024;
const KEY = createSecretKey(Buffer.alloc(32, 7));
const NOW = Date.parse('2030-01-01T00:00:00Z');

/** Anything with dots in it, as a JWT has two. */
const dotted = repeated(fc.constantFrom('a', '.', 'a.', 'e', '=', '-', ' ', '%', '"', 'é'));

const HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');

/** A JWT with claims that grow, signed with a key that the bearer has. */
const signedJwt = (claims: fc.Arbitrary<Growing<string>>, key: string | Buffer): fc.Arbitrary<Growing<string>> =>
  claims.map((grow) => (size) => {
    const claimed = grow(Math.floor(((size - HEADER.length - 45) * 3) / 4));
    const unsigned = `${HEADER}.${Buffer.from(claimed).toString('base64url')}`;
    return `${unsigned}.${createHmac('sha256', key).update(unsigned).digest('base64url')}`;
  });

const hostileClaims = (open: string, close: string): fc.Arbitrary<Growing<string>> =>
  fc.oneof(
    ...[
      ['"a.b"', `${open}"allowedOrigins":[`, `]${close}`],
      ['"10.0.0.1"', `${open}"allowedIpAddresses":[`, `]${close}`],
      ['"::/9"', `${open}"deniedIpAddresses":[`, `]${close}`],
      ['"*.a.b"', `${open}"allowedOrigins":[`, `]${close}`],
      ['"CH"', `${open}"allowedCountries":[`, `]${close}`],
      ['"x":{}', open, close],
      ['[]', '[', ']'],
      ['{}', `${open}"x":[`, `]${close}`],
    ].map(([element = '', before = '', after = '']) => repeated(element, { before, after, between: ',' })),
  );

const parent = compileToken(aTokenRecord({ id: 7, streams: [{ streamName: '.*', isRegex: true }] }), 'ab'.repeat(32));
/** The list of public suffixes is read with the first wildcard. */
checkOrigins('allowedOrigins', ['*.example.com']);

const streaming = '{"exp":1999999999,"streaming":{"tokenId":7,"tokenType":"Subscribe","streamName":"main",';

const tokenRowsOfStrangers: readonly CheckedRow[] = [
  costRow({
    name: 'a grant that is no JWT of ours',
    parsers: ['server/admission/grant-signer.ts GrantSigner'],
    limit: MAX_HEAD,
    inputs: dotted,
    read: (jwt) => new GrantSigner(KEY).check(jwt, NOW),
  }),
  costRow({
    name: 'a resume token that is no JWT of ours',
    parsers: ['server/admission/resume-tokens.ts ResumeTokens'],
    limit: MAX_HEAD,
    inputs: signedJwt(hostileClaims('{', '}'), 'guessed'),
    read: (jwt) => new ResumeTokens(KEY).redeem(jwt, 'Subscribe', NOW),
  }),
  costRow({
    name: 'the pass and the name of a file of a recording',
    parsers: ['server/admission/rewind-passes.ts RewindPasses', 'server/admission/segment-keys.ts SegmentKeys'],
    limit: MAX_HEAD,
    inputs: dotted,
    read: (text) => [
      new RewindPasses(KEY).check(text, text, NOW),
      new SegmentKeys(KEY).check({ recordingId: text, period: 1, file: text }, text, NOW),
    ],
  }),
  costRow({
    name: 'the pass of a relay',
    parsers: ['server/cluster/relay/relay-pass.ts RelayPasses'],
    limit: MAX_BODY,
    inputs: dotted,
    read: (pass) => new RelayPasses(KEY).check(pass, pass, NOW),
  }),
  costRow({
    name: 'a self-signed token of somebody without the key',
    parsers: ['server/tokens/self-signed-token.ts readSelfSigned, parentIdOf'],
    // A longer one is refused before it is read.
    limit: LONGEST_SELF_SIGNED,
    inputs: fc.oneof(dotted, signedJwt(hostileClaims(streaming, '}}'), 'guessed')),
    read: (jwt) => [readSelfSigned(jwt, () => parent, NOW), parentIdOf(jwt)],
    // 1,024 values of 56 bytes each and what zod says of them, or 8,192 parts between dots.
    fixedMemory: 0.5 * MB,
  }),
  costRow({
    name: 'a self-signed token of its owner',
    parsers: ['server/tokens/self-signed-token.ts readSelfSigned'],
    limit: LONGEST_SELF_SIGNED,
    inputs: signedJwt(hostileClaims(streaming, '}}'), parent.token),
    read: (jwt) => readSelfSigned(jwt, () => parent, NOW),
    // tldts leaves 7 kB behind for each wildcard, of which a token has at most 8 kB.
    fixedMemory: 8 * MB,
  }),
  costRow({
    name: 'an origin where a token permits subdomains',
    parsers: ['server/tokens/restrictions/origin-patterns.ts originMatcher'],
    limit: MAX_HEAD,
    inputs: repeated(fc.constantFrom('a', 'a.', '.', '-', '1.', ':', '0', '@', '%41', 'é', 'xn--', '/'), {
      before: 'https://',
    }),
    read: (origin) => originMatcher(['*.example.com', 'https://*.example.org'])(origin),
  }),
];

/** Of a stream (`src/wire/text.ts`). */
const LONGEST_NAME = 128;

/** The most costly patterns that a token may have, to be matched with every name. */
const costlyPatterns = ['(?:a?){9}a*', '(a|b|ab)*', '(?:.*a){20}', '[a-z]{1,99}.*', '(?:a|a|a|a)*', '\\pL{1,40}b'];

const longestRules = (pattern: string): readonly StreamRule[] => {
  const rules: StreamRule[] = [];
  for (let index = 0; index < 1_000; index++) {
    const next = [...rules, { streamName: `${pattern}${index}`, isRegex: true }];
    try {
      checkPatterns('streams', next);
    } catch {
      return rules;
    }
    rules.push(next.at(-1)!);
  }
  return rules;
};

const list = (read: (entries: readonly string[]) => unknown) => (text: string) =>
  read(text.split('\n').slice(0, 1_000));

const tokenRowsOfOwners: readonly CheckedRow[] = [
  ...costlyPatterns.map((pattern) => {
    let matches: ((name: string) => boolean) | undefined;
    return costRow({
      name: `the name of a stream where a token has as many ${pattern} as it may`,
      parsers: ['server/tokens/restrictions/stream-patterns.ts streamMatcher'],
      limit: LONGEST_NAME,
      inputs: repeated(fc.constantFrom('a', 'ab', 'b', 'é', '0')),
      read: (name) => (matches ??= streamMatcher(longestRules(pattern)))(name),
      // What the machines of a thousand patterns have for a name.
      fixedMemory: 0.25 * MB,
    });
  }),
  costRow({
    name: 'the patterns of a token',
    parsers: ['server/tokens/restrictions/stream-patterns.ts checkPatterns, streamMatcher'],
    limit: MAX_BODY,
    inputs: repeated(
      fc.constantFrom(
        'a*',
        '(a|b)',
        '[a-z]',
        '\\pL',
        '\\pL|',
        '(?i)[B-\u{10fff0}]',
        '(?:a?){9}',
        'a{1,1000}',
        '(?:abcdefghijklmnop){1000}',
        '((((',
        '[',
        '(?i)é',
        '.*',
        '\\',
      ),
    ),
    read(text) {
      const streams = (text.match(/.{1,128}/gs) ?? [])
        .slice(0, 1_000)
        .map((streamName) => ({ streamName, isRegex: true }));
      checkPatterns('streams', streams);
      return streamMatcher(streams);
    },
    // Patterns become machines of states, each an object, and of states there are only so many.
    fixedMemory: 6 * MB,
  }),
  costRow({
    name: 'the origins of a token',
    parsers: ['server/tokens/restrictions/canonical-lists.ts checkOrigins', 'originMatcher'],
    limit: MAX_BODY,
    inputs: repeated(
      fc.constantFrom(
        'https://a.b',
        '*.example.com',
        'a.',
        'xn--a.b',
        'é.example',
        '[::1]:8',
        '*',
        'https://[',
        'a'.repeat(300),
      ),
      { between: '\n' },
    ),
    read: list((entries) => originMatcher(checkOrigins('allowedOrigins', entries))('https://a.b')),
    // A URL for each origin, of at most 1,000.
    fixedMemory: 2 * MB,
  }),
  costRow({
    name: 'the addresses of a token',
    parsers: [
      'server/tokens/restrictions/canonical-lists.ts checkAddresses',
      'server/addresses/ip-ranges.ts addressMatcher',
    ],
    limit: MAX_BODY,
    inputs: repeated(
      fc.constantFrom<string | ((index: number) => string)>(
        (index) => `10.${index >> 8}.${index & 255}.0/24`,
        (index) => `2001:db8:${index.toString(16)}::/48`,
        '::ffff:10.0.0.1',
        '10.0.0.1/99',
        '/',
        ':',
      ),
      { between: '\n' },
    ),
    read: list((entries) => addressMatcher(checkAddresses('allowedIpAddresses', entries))('8.8.8.8')),
    // Node has an address object for each network, and there are at most 1,000.
    fixedMemory: 10 * MB,
  }),
];

/** The limit of `importPublishTokens`. */
const MAX_TABLE = 1_000_000;

const tables = fc.oneof(
  repeated(fc.constantFrom('a,b\n', 'a\n', '\n', '"\n"\n', '"",""\n', `${'a'.repeat(128)},b;c;d\n`, '"'), {
    before: 'label,streams\n',
  }),
  repeated(fc.constantFrom('id,', 'label,', 'x,', '"', ';', '\t', ' ', '\r')),
  repeated(';a', { before: 'label,streams\na,' }),
  repeated('[],', { before: 'label,streams\na,"[', after: '[]]"\n' }),
);

/** What of a table is read at once: before its lines are checked, between which others have their turn. */
const tableRow = costRow({
  name: 'a table of tokens, until its lines are checked',
  parsers: ['server/tokens/import/token-table.ts readTokenTable'],
  limit: MAX_TABLE,
  inputs: tables,
  read: readTokenTable,
  // csv-parse leaves 22 MB of garbage behind for a file of a quarter of the limit, and no more for a larger one.
  fixedMemory: 32 * MB,
});

const importRow = costRow({
  name: 'a table of tokens, with what others do meanwhile',
  parsers: ['server/tokens/import/import-tokens.ts tokensOfTable'],
  limit: MAX_TABLE,
  inputs: tables,
  read: (csv) =>
    tokensOfTable(csv, {
      kind: 'publish',
      parse: (body) => parse(createPublishToken, body),
      check: () => {},
      now: NOW,
    }),
  // In turns of 5 ms after the table is read: import-tokens.test.ts counts them.
  maxMs: 40,
  // That, a token for each of 1,000 rows, and what zod leaves behind for it.
  fixedMemory: 40 * MB,
});

export const tokenRows: readonly CheckedRow[] = [...tokenRowsOfStrangers, ...tokenRowsOfOwners, tableRow, importRow];
