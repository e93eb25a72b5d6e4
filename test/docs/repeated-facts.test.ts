import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import * as events from '../../src/elements/events.js';
import { en } from '../../src/pages/dashboard/messages/en.js';
import {
  createPublishToken,
  createSubscribeToken,
  updatePublishToken,
  updateSubscribeToken,
} from '../../src/wire/management/token.js';
import {
  unsupported,
  unsupportedInUpdate,
  unsupportedPublishing,
  unsupportedPublishingInUpdate,
  unsupportedTracking,
} from '../../src/wire/management/unsupported-field.js';
import { codeIn } from '../support/markdown-table.js';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Every `code` part of a page outside of its examples. */
const namesIn = (text: string): ReadonlySet<string> => new Set(codeIn(text.replaceAll(/^```[^]*?^```/gm, '')));

/** Facts that the source decides and that several pages repeat. */
describe('the pages', () => {
  it('name every class of an event of the tags, in docs/events.md', () => {
    const named = namesIn(read('docs/events.md'));
    const classes = Object.keys(events);
    assert.ok(classes.includes('StreamLiveEvent'));
    assert.deepEqual(
      classes.filter((name) => !named.has(name)),
      [],
    );
  });

  const others = {
    ...unsupported,
    ...unsupportedInUpdate,
    ...unsupportedTracking,
    ...unsupportedPublishing,
    ...unsupportedPublishingInUpdate,
  };
  const fields = [createPublishToken, createSubscribeToken, updatePublishToken.def.in, updateSubscribeToken.def.in]
    .flatMap(({ shape }) => Object.keys(shape))
    .filter((name) => !(name in others));
  it('list every field of a token, in docs/api.md', () => {
    assert.ok(fields.includes('maxSessions') && fields.includes('isActive'));
    const section = read('docs/api.md').split('\n## Tokens\n')[1]!.split('\n## ')[0]!;
    const named = namesIn(section);
    assert.deepEqual(
      [...new Set(fields)].filter((name) => !named.has(name)),
      [],
    );
  });

  it('name pages of the dashboard that there are', () => {
    const pages = execFileSync('git', ['ls-files', '-z', '*.md'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
    const known: readonly string[] = Object.values(en.pages);
    const named = pages
      .filter((page) => page !== '' && existsSync(join(ROOT, page)))
      .flatMap((page) => [...read(page).matchAll(/\bpage \*\*(\w+)\*\*/g)].map(([, name]) => `${page}: ${name}`));
    assert.ok(named.length > 3, 'several do');
    assert.deepEqual(
      named.filter((one) => !known.includes(one.split(': ')[1]!)),
      [],
    );
  });

  it('say the sizes of the tags that a test permits, in kB with one decimal', () => {
    const budgets = read('test/package/bundle-budget.test.ts');
    const permitted = (app: string): number[] =>
      numbersIn(budgets, new RegExp(`${app}: \\{ firstBytes: ([\\d_]+), bytes: ([\\d_]+)`));
    const viewer = permitted('viewer');
    for (const [said, bytes] of [
      [numbersIn(read('docs/benchmarks.md'), /at most ([\d.]+) kB .* and ([\d.]+) kB in all/), viewer],
      [
        numbersIn(
          read('CONTRIBUTING.md'),
          /the viewer ([\d.]+) kB .* and ([\d.]+) kB in all, both tags ([\d.]+) and ([\d.]+) kB/,
        ),
        [...viewer, ...permitted('bothTags')],
      ],
    ] as const) {
      assert.equal(said.length, bytes.length);
      for (const [at, kilobytes] of said.entries()) {
        assert.ok(Math.abs(1000 * kilobytes - bytes[at]!) < 100, `${kilobytes} kB, and the test permits ${bytes[at]}`);
      }
    }
  });
});

/** The groups of the first match, as numbers. */
function numbersIn(text: string, pattern: RegExp): number[] {
  const match = pattern.exec(text);
  assert.ok(match, String(pattern));
  return match.slice(1).map((digits) => Number(digits.replace('_', '')));
}
