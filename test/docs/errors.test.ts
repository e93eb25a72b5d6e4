import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { reason } from '../../src/wire/reason.js';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = join(ROOT, 'docs/errors');
const SOURCES = ['server/http', 'server/accounts', 'server/tokens', 'server/cli', 'src/management'];
const CODE = /(?:Error\(\s*(?:\d+,\s*)?|\bcode: |\bcode = )'([a-z]+(?:_[a-z]+)*)'/g;

const codes = new Set<string>(reason.options);
for (const folder of SOURCES) {
  for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const source = readFileSync(join(ROOT, folder, name), 'utf8');
    for (const [, code] of source.matchAll(CODE)) codes.add(code!);
  }
}

describe('docs/errors', () => {
  const index = readFileSync(join(PAGES, 'README.md'), 'utf8');

  for (const code of codes) {
    it(`has a page for ${code}, which the index names`, () => {
      assert.ok(existsSync(join(PAGES, `${code}.md`)));
      assert.ok(index.includes(`(${code}.md)`));
    });
  }

  it('was searched for codes in the right places', () => {
    for (const code of ['secret_missing', 'invalid_pattern', 'usage', 'unreachable', 'internal']) {
      assert.ok(codes.has(code), code);
    }
  });
});
