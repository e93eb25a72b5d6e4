import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const GUIDE = read('docs/frameworks.md');
/** Code that names the file that it is, and is all of it. */
const SHOWN = [...GUIDE.matchAll(/^<!-- (\S+) -->\n\n```\w+\n([^]*?)^```$/gm)];

describe('docs/frameworks.md', () => {
  for (const [, path, code] of SHOWN) {
    it(`shows ${path} as it is`, () => assert.equal(code, read(path!)));
  }

  it('shows code of every app', () => {
    const apps = new Set(SHOWN.map(([, path]) => path!.split('/')[2]));
    assert.deepEqual([...apps].toSorted(), readdirSync(join(ROOT, 'demo/frameworks')).toSorted());
  });

  it('names no file that it does not show', () => {
    assert.equal(SHOWN.length, [...GUIDE.matchAll(/^<!--/gm)].length);
  });
});
