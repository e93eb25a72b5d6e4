import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import report from '../../scripts/test-run/node-reporter.js';
import { RecordReader } from '../../scripts/test-run/record.js';
import { root } from '../../scripts/run-command.js';

type Events = Parameters<typeof report>[0];
type Event = Events extends AsyncIterable<infer One> ? One : never;

const LACK = 'Janus is not installed, and tests need it. Install it with: apt-get install janus';

const ended = (
  type: 'pass' | 'fail',
  nesting: number,
  details: Event['data']['details'] = {},
  skip?: string | true,
): Event => ({
  type: `test:${type}`,
  data: { file: join(root, 'a.test.ts'), nesting, details: { duration_ms: 500, ...details }, ...(skip && { skip }) },
});
const passed = (nesting: number): Event => ended('pass', nesting);
const failed = (nesting: number, message = 'it is wrong'): Event =>
  ended('fail', nesting, { error: new Error('failed', { cause: new Error(message) }) });
const suite = (nesting: number, message?: string): Event =>
  ended(message === undefined ? 'pass' : 'fail', nesting, {
    type: 'suite',
    ...(message !== undefined && { error: new Error('failed', { cause: new Error(message) }) }),
  });

it('says what has begun and not ended', async () => {
  const step = (type: string, name: string): Event => ({
    type: `test:${type}`,
    data: { name, file: join(root, 'a.ts') },
  });
  const reader = new RecordReader();
  async function* all() {
    yield* [step('dequeue', 'suite'), step('dequeue', 'one'), step('complete', 'one'), step('dequeue', 'two')];
  }
  for await (const text of report(all())) assert.equal(reader.read(text), '');
  assert.deepEqual(
    [reader.running.map(({ file, test }) => `${file} ${test}`), reader.progress],
    [['a.ts suite', 'a.ts two'], 4],
  );
});

async function recordsOf(...events: readonly Event[]) {
  const reader = new RecordReader();
  async function* all() {
    yield* events;
  }
  for await (const text of report(all())) reader.read(text);
  return reader.records.map(({ passed, failed, notRun, lacks }) => {
    const counts: (number | string)[] = [passed, failed, notRun];
    return counts.concat(lacks);
  });
}

describe('the records of node:test', () => {
  it('count the tests of each outermost suite', async () => {
    const events = [
      passed(1),
      failed(2),
      suite(1, '1 subtest failed'),
      passed(1),
      suite(0, '1 subtest failed'),
      passed(0),
    ];
    assert.deepEqual(await recordsOf(...events), [
      [2, 1, 0],
      [1, 0, 0],
    ]);
  });

  it('have the file from the root of the repository, and the seconds', async () => {
    const reader = new RecordReader();
    async function* all() {
      yield passed(0);
      yield { type: 'test:diagnostic', data: {} };
    }
    for await (const text of report(all())) reader.read(text);
    assert.deepEqual(reader.records, [{ file: 'a.test.ts', passed: 1, failed: 0, notRun: 0, lacks: [], seconds: 0.5 }]);
  });

  it('count a hook that fails after its tests', async () => {
    assert.deepEqual(await recordsOf(passed(1), suite(0, 'a hook failed')), [[1, 1, 0]]);
  });

  it('count tests for which a tool is missing as not run', async () => {
    assert.deepEqual(await recordsOf(passed(1), failed(1, LACK), suite(0, '1 subtest failed')), [[1, 0, 1, LACK]]);
  });

  it('count all tests as not run whose hook has no tool', async () => {
    const cancelled = failed(2, 'test did not finish before its parent');
    assert.deepEqual(await recordsOf(passed(1), cancelled, cancelled, suite(1, LACK), suite(0, '1 subtest failed')), [
      [1, 0, 2, LACK],
    ]);
  });

  it('count a skipped test as not run if it has a reason, and as failed if it has none', async () => {
    const skipped = [ended('pass', 0, {}, 'needs a mount'), ended('pass', 0, {}, true)];
    assert.deepEqual(await recordsOf(...skipped), [
      [0, 0, 1, 'needs a mount'],
      [0, 1, 0],
    ]);
  });
});

describe('an error that nobody has caught', () => {
  const begun: Event = { type: 'test:dequeue', data: { file: join(root, 'a.test.ts') } };
  /** The counts after an error that is thrown somewhere while a test runs. */
  async function countsAfter(error: Error, ...events: readonly Event[]): Promise<string[]> {
    const reader = new RecordReader();
    async function* all() {
      yield begun;
      // Of this reporter. That of the runner must not hear of it.
      process.listeners('uncaughtException').at(-1)!(error, 'uncaughtException');
      yield* events;
    }
    const { exitCode } = process;
    for await (const text of report(all())) reader.read(text);
    process.exitCode = exitCode;
    return reader.records.map(({ file, passed, failed }) => `${file} ${passed} ${failed}`);
  }

  it('fails the file that runs, and its test passes', async () => {
    assert.deepEqual(await countsAfter(new Error('in a timer'), passed(0)), ['a.test.ts 1 0', 'a.test.ts 0 1']);
  });

  it('fails the file if it comes after the last test', async () => {
    assert.deepEqual(await countsAfter(new Error('late'), { type: 'test:diagnostic', data: {} }), ['a.test.ts 0 1']);
  });

  it('is not counted again if a test has failed for it', async () => {
    const error = new Error('known');
    const failure = ended('fail', 0, { error: new Error('failed', { cause: error }) });
    assert.deepEqual(await countsAfter(error, failure), ['a.test.ts 0 1']);
  });
});

describe('an output with records', () => {
  it('is text without them, however it is cut', () => {
    const line = '\u001e{"file":"a.test.ts","passed":1}\n';
    for (let cut = 0; cut <= line.length; cut += 1) {
      const reader = new RecordReader();
      const text = ['one\ntw', `o${line.slice(0, cut)}`, `${line.slice(cut)}three\nfour`].map((piece) =>
        reader.read(piece),
      );
      assert.equal([...text, reader.end()].join(''), 'one\ntwothree\nfour\n');
      assert.deepEqual(reader.records, [{ file: 'a.test.ts', passed: 1 }]);
    }
  });
});
