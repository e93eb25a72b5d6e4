import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkOrigins } from '../../../../server/tokens/restrictions/canonical-lists.js';
import {
  canonicalOriginPattern,
  InvalidOriginPatternError,
  originMatcher,
} from '../../../../server/tokens/restrictions/origin-patterns.js';
import { anyCharacter } from '../../../support/any-character.js';

const reading = (text: string): string | undefined => {
  try {
    return canonicalOriginPattern(text);
  } catch (error) {
    if (error instanceof InvalidOriginPatternError) return undefined;
    throw error;
  }
};

describe('canonicalOriginPattern', () => {
  for (const [text, canonical] of [
    ['example.com', 'example.com'],
    ['Example.COM', 'example.com'],
    ['example.com.', 'example.com'],
    ['example.com:8443', 'example.com:8443'],
    ['example.com:443', 'example.com:443'],
    ['https://example.com', 'https://example.com'],
    ['HTTPS://Example.com:443', 'https://example.com'],
    ['http://example.com:80', 'http://example.com'],
    ['http://example.com:443', 'http://example.com:443'],
    ['*.example.com', '*.example.com'],
    ['https://*.example.com:8443', 'https://*.example.com:8443'],
    ['https://*.a.b:8443', 'https://*.a.b:8443'],
    ['*.someone.github.io', '*.someone.github.io'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['*.МОСКВА.рф', '*.xn--80adxhks.xn--p1ai'],
    ['localhost', 'localhost'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['intranet', 'intranet'],
    ['192.0.2.7:8080', '192.0.2.7:8080'],
    ['[2001:DB8:0:0::1]', '[2001:db8::1]'],
    ['https://[::1]:8443', 'https://[::1]:8443'],
    ['tauri://localhost', 'tauri://localhost'],
    ['Capacitor://LocalHost', 'capacitor://localhost'],
    ['ionic://localhost:8100', 'ionic://localhost:8100'],
    ['chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai', 'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai'],
    ['moz-extension://5f1d0a4e-1b8b-4b5e-9b0e-0d6a4d9e8f11', 'moz-extension://5f1d0a4e-1b8b-4b5e-9b0e-0d6a4d9e8f11'],
  ] as const) {
    it(`writes ${text} as ${canonical}`, () => assert.equal(canonicalOriginPattern(text), canonical));
  }

  for (const text of [
    '',
    '*',
    '*.',
    '*.com',
    '*.co.uk',
    '*.github.io',
    'https://*.github.io',
    '*.localhost',
    '*:8080',
    'https://*',
    '*.*.example.com',
    'a*.example.com',
    '*example.com',
    '*.192.0.2.7',
    '*.[::1]',
    'null',
    'https://',
    '//example.com',
    'https:example.com',
    'https:///example.com',
    'ftp://example.com',
    'file:///index.html',
    'data://localhost',
    'javascript://localhost',
    'blob://localhost',
    'ws://example.com',
    'wss://example.com',
    'tauri://',
    'tauri://*',
    'tauri://*.example.com',
    'tauri://localhost/',
    'tauri://user@localhost',
    'tauri://local host',
    'tauri://localhost:0',
    '1tauri://localhost',
    '://example.com',
    'https://example.com/',
    'https://example.com/path',
    'example.com/path',
    'example.com?query',
    'example.com#part',
    'user@example.com',
    'https://user:pass@example.com',
    'example.com:',
    'example.com:0',
    'example.com:080',
    'example.com:65536',
    'example.com:http',
    'example..com',
    '.example.com',
    'example.com..',
    '-example.com',
    'exam ple.com',
    ' example.com',
    'example.com\n',
    'exam\tple.com',
    'example.com\u0000',
    'ex%61mple.com',
    'example.com\\path',
    '127.1',
    '010.0.0.1',
    '0x7f.1',
    '2130706433',
    '::1',
    '[::1',
    '[fe80::1%25eth0]',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(130)}com`,
  ]) {
    it(`refuses ${JSON.stringify(text).slice(0, 40)}`, () => assert.equal(reading(text), undefined));
  }

  it('accepts or refuses any text, is stable, and never repeats the text in its message', () => {
    fc.assert(
      fc.property(anyPattern, (text) => {
        try {
          const canonical = canonicalOriginPattern(text);
          assert.equal(canonicalOriginPattern(canonical), canonical);
          assert.match(canonical, /^([a-z][a-z0-9+.-]*:\/\/)?(\*\.)?([a-z0-9_.-]+|\[[0-9a-f:]+\])(:\d+)?$/);
        } catch (error) {
          assert.ok(error instanceof InvalidOriginPatternError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('originMatcher', () => {
  const permits = (pattern: string, origin: string | undefined) =>
    originMatcher([canonicalOriginPattern(pattern)])(origin);

  for (const [pattern, yes, no] of [
    [
      'example.com',
      [
        'https://example.com',
        'http://example.com',
        'https://example.com:8443',
        'https://EXAMPLE.com',
        'https://example.com.',
      ],
      ['https://www.example.com', 'https://example.com.evil.example', 'https://evilexample.com', 'https://example.co'],
    ],
    [
      'example.com:8443',
      ['https://example.com:8443', 'http://example.com:8443'],
      ['https://example.com', 'https://example.com:84430', 'https://www.example.com:8443'],
    ],
    [
      'example.com:443',
      ['https://example.com', 'https://example.com:443', 'http://example.com:443'],
      ['http://example.com'],
    ],
    [
      'https://example.com',
      ['https://example.com', 'https://example.com:443'],
      ['http://example.com', 'https://example.com:8443', 'http://example.com:443'],
    ],
    ['http://example.com:8080', ['http://example.com:8080'], ['https://example.com:8080', 'http://example.com']],
    [
      '*.example.com',
      ['https://a.example.com', 'http://b.a.example.com:81'],
      ['https://example.com', 'https://a.example.com.evil.example', 'https://aexample.com'],
    ],
    [
      'https://*.example.com:8443',
      ['https://a.example.com:8443', 'https://b.a.example.com:8443'],
      ['https://a.example.com', 'http://a.example.com:8443', 'https://example.com:8443'],
    ],
    ['https://*.example.com', ['https://a.example.com'], ['http://a.example.com', 'https://a.example.com:8443']],
    ['münchen.example', ['https://xn--mnchen-3ya.example'], ['https://munchen.example']],
    ['localhost', ['http://localhost:3000'], ['http://localhost.evil.example', 'capacitor://localhost']],
    [
      'tauri://localhost',
      ['tauri://localhost', 'TAURI://localhost'],
      [
        'http://localhost',
        'tauri://localhost:1',
        'tauri://localhost/',
        'tauri://a.localhost',
        'capacitor://localhost',
        'localhost',
      ],
    ],
    [
      'chrome-extension://abcdef',
      ['chrome-extension://abcdef'],
      ['chrome-extension://abcdeg', 'https://abcdef', 'abcdef'],
    ],
    ['[::1]', ['http://[::1]:3000'], ['http://[::2]']],
    ['192.0.2.7', ['http://192.0.2.7:81'], ['http://1192.0.2.7', 'http://192.0.2.70']],
  ] as const) {
    it(`${pattern} permits ${yes.join(', ')}`, () =>
      assert.deepEqual(
        yes.filter((origin) => !permits(pattern, origin)),
        [],
      ));
    it(`${pattern} does not permit ${no.join(', ')}`, () =>
      assert.deepEqual(
        no.filter((origin) => permits(pattern, origin)),
        [],
      ));
  }

  for (const origin of [
    undefined,
    '',
    'null',
    'example.com',
    'https://',
    'https://example.com/',
    'https://example.com/path',
    'https://example.com?',
    'https://user@example.com',
    'https://ex%61mple.com',
    'https://exam\tple.com',
    ' https://example.com',
    'https:example.com',
    'https:\\\\example.com',
    'https://example.com:',
    'https://example.com, https://example.com',
    'ftp://example.com',
    'blob:https://example.com',
  ]) {
    it(`permits ${JSON.stringify(origin)} with no list`, () => assert.equal(permits('example.com', origin), false));
  }

  it('does not permit an origin whose host is longer than a name can be', () => {
    const origin = (labels: number): string => `https://${'a.'.repeat(labels)}example.com`;
    assert.equal(permits('*.example.com', origin(121)), true, 'of 253 characters');
    assert.equal(permits('*.example.com', origin(200)), false);
  });

  it('permits no origin with an empty label, which no browser sends', () => {
    const permits = originMatcher(['*.example.com', 'https://*.example.com:8443', 'example.com']);
    for (const host of ['.example.com', 'a..example.com', '..example.com', 'example.com..', '.', 'a.example.com..']) {
      for (const origin of [`https://${host}`, `http://${host}`, `https://${host}:8443`]) {
        assert.equal(permits(origin), false, origin);
      }
    }
    assert.equal(permits('https://a.example.com.'), true);
  });

  it('permits every origin, and a client without one, with an empty list', () =>
    assert.deepEqual(['https://a.example', 'null', '', undefined].map(originMatcher([])), [true, true, true, true]));

  it('permits what any of several patterns permits', () => {
    const matcher = originMatcher(['a.example', '*.b.example', 'https://c.example']);
    const origins = ['https://a.example', 'https://x.b.example', 'https://c.example', 'https://d.example'];
    assert.deepEqual(origins.map(matcher), [true, true, true, false]);
  });

  it('agrees with a test of each pattern in turn', () => {
    fc.assert(
      fc.property(fc.array(knownPattern, { minLength: 1, maxLength: 5 }), anOrigin, (patterns, origin) => {
        const canonical = checkOrigins('allowedOrigins', patterns);
        assert.equal(
          originMatcher(canonical)(origin),
          canonical.some((pattern) => naive(pattern, origin)),
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

const host = fc.constantFrom('example.com', 'a.example.com', 'b.a.example.com', 'aexample.com', 'b.example');
const port = fc.constantFrom('', ':80', ':443', ':8443');
const anOrigin = fc
  .tuple(fc.constantFrom('http', 'https'), host, port)
  .map(([scheme, name, at]) => `${scheme}://${name}${at}`);
const knownPattern = fc
  .tuple(fc.constantFrom('', 'http://', 'https://'), fc.constantFrom('', '*.'), host, port)
  .map((parts) => parts.join(''));
const anyPattern = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc
    .array(
      fc.constantFrom('https', ':', '//', '*', '.', 'com', 'a', '127', '1', '[', ']', '@', '/', '%2e', 'ü', '。', '\t'),
      {
        maxLength: 8,
      },
    )
    .map((parts) => parts.join('')),
);

/** An independent statement of what a pattern matches. Both texts are in canonical form. */
function naive(pattern: string, origin: string): boolean {
  const [scheme, place] = origin.split('://') as [string, string];
  const [name, at = scheme === 'https' ? '443' : '80'] = place.split(':') as [string, string?];
  const [wantedScheme, wantedPlace] = pattern.includes('://') ? pattern.split('://') : [undefined, pattern];
  const [wantedName, wantedPort] = wantedPlace!.split(':') as [string, string?];
  const sameName = wantedName.startsWith('*') ? name.endsWith(wantedName.slice(1)) : name === wantedName;
  if (!sameName) return false;
  if (wantedScheme === undefined) return wantedPort === undefined || wantedPort === at;
  return wantedScheme === scheme && (wantedPort ?? (wantedScheme === 'https' ? '443' : '80')) === at;
}
