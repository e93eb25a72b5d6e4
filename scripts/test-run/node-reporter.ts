import { relative } from 'node:path';
import { root } from '../run-command.ts';
import { lackIn } from '../tools.ts';
import { recordLine } from './record.ts';

/** Of a test or a suite that has ended. Other events have other data. */
interface TestEvent {
  readonly type: string;
  readonly data: {
    readonly file?: string;
    readonly nesting?: number;
    readonly skip?: string | boolean;
    readonly details?: { readonly duration_ms?: number; readonly type?: string; readonly error?: unknown };
  };
}

interface Ended {
  readonly nesting: number;
  readonly result: 'passed' | 'failed' | 'not run';
}

/** A reporter of `node:test`: prints a record for each test, or suite, that is in no other. */
export default async function* (events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let ended: Ended[] = [];
  let lacks = new Set<string>();
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { file = '', nesting = 0, details = {}, skip } = data;
    const lack = typeof skip === 'string' ? skip : lackIn(messageOf(details.error));
    if (lack !== undefined) lacks.add(lack);
    if (details.type !== 'suite') {
      const result = lack !== undefined ? 'not run' : type === 'test:pass' && skip === undefined ? 'passed' : 'failed';
      ended.push({ nesting, result });
    } else if (lack !== undefined) {
      // The tool was missing in a hook, before the tests.
      ended = ended.map((one) => (one.nesting > nesting ? { nesting, result: 'not run' } : one));
    } else if (type === 'test:fail' && ended.every((one) => one.nesting <= nesting || one.result === 'passed')) {
      // A hook failed after the tests.
      ended.push({ nesting, result: 'failed' });
    }
    if (nesting > 0) continue;
    const count = (result: Ended['result']): number => ended.filter((one) => one.result === result).length;
    yield recordLine({
      file: relative(root, file),
      passed: count('passed'),
      failed: count('failed'),
      notRun: count('not run'),
      lacks: [...lacks],
      seconds: (details.duration_ms ?? 0) / 1000,
    });
    [ended, lacks] = [[], new Set()];
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.message}\n${messageOf(error.cause)}` : String(error ?? '');
}
