import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { healthProblemCode } from '../../src/wire/management/health.js';
import { ruleRefusalCode } from '../../src/wire/director/refusal-code.js';
import { stopCode } from '../../src/wire/websocket/stop-code.js';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = join(ROOT, 'docs/errors');
/** The folders of the sources. They also contain built and installed files. */
const SOURCES = ['server', 'src'];
const BUILT = /(^|\/)(dist|node_modules)\//;
/** Code that uses an error code: the argument of an error or a refusal, or a field. */
const GIVEN =
  /(?:Error\(\s*(?:\d+,\s*)?|refuse\w*\(\w+, \d+, |errorFrame\([\w.]+, |\bcode: |\bcode = )'([a-z]+(?:_[a-z]+)*)'/g;
/** A type that lists codes: `type MediaErrorCode = 'invalid_sdp' | …;` */
const LISTED = /\btype \w+Code =([^;]+);/g;
/** The code of zod for our own checks. No client receives it. */
const ZOD_CODE = 'custom';
const WORD = /'([a-z]+(?:_[a-z]+)*)'/g;

function codesOf(source: string): string[] {
  const given = [...source.matchAll(GIVEN)];
  const listed = [...source.matchAll(LISTED)].flatMap(([, union]) => Array.from(union!.matchAll(WORD)));
  return [...given, ...listed].map(([, code]) => code!).filter((code) => code !== ZOD_CODE);
}

const codes = new Set<string>([...ruleRefusalCode.options, ...stopCode.options, ...healthProblemCode.options]);
for (const folder of SOURCES) {
  for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts') || BUILT.test(name)) continue;
    for (const code of codesOf(readFileSync(join(ROOT, folder, name), 'utf8'))) codes.add(code);
  }
}

describe('docs/errors', () => {
  const index = readFileSync(join(PAGES, 'README.md'), 'utf8');
  const pages = new Set(
    readdirSync(PAGES)
      .filter((file) => file !== 'README.md')
      .map((file) => file.replace(/\.md$/, '')),
  );

  for (const code of codes) {
    it(`has a page for ${code}, which the index names and which says what to do`, () => {
      assert.ok(pages.has(code), `docs/errors/${code}.md is missing`);
      assert.ok(index.includes(`[${code}](${code}.md)`), 'the index does not name the code');
      const page = readFileSync(join(PAGES, `${code}.md`), 'utf8');
      assert.match(page, new RegExp(`^# ${code}\\n\\n\\S[^]*\\n\\nSeen by .+\\n\\n\\*\\*What to do:\\*\\* \\S`));
    });
  }

  it('has no page for a code that the source does not use', () => {
    assert.deepEqual(
      [...pages].filter((page) => !codes.has(page)),
      [],
    );
  });

  it('is compared with the codes in the source', () => {
    const known = [
      'secret_missing',
      'invalid_pattern',
      'usage',
      'unreachable',
      'internal',
      'grant_spent',
      'grant_expired',
      'invalid_frame',
      'no_common_codec',
      'capture_denied',
      'media_lost',
      'click_needed',
    ];
    for (const code of known) assert.ok(codes.has(code), code);
  });
});
