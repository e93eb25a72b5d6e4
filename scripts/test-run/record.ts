import { lackIn } from '../tools.ts';

/** What a runner reports of a test, or of a suite with its tests. */
export interface TestRecord {
  /** From the root of the repository. */
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
  /** Why tests were not run. */
  readonly lacks: readonly string[];
  /** What the browser would need to run other tests: a capability for each test. */
  readonly incapable?: readonly string[];
  readonly seconds: number;
}

/** Begins a record in the output of a runner, which ends with its line. */
const MARK = '\u001e';

export const recordLine = (record: TestRecord): string => `${MARK}${JSON.stringify(record)}\n`;

/** The record of one test. A test that fails for lack of a tool was not run. */
export function recordOf(file: string, hasPassed: boolean, seconds: number, errors: string): TestRecord {
  const lack = hasPassed ? undefined : lackIn(errors);
  return {
    file,
    passed: Number(hasPassed),
    failed: Number(!hasPassed && lack === undefined),
    notRun: Number(lack !== undefined),
    lacks: lack === undefined ? [] : [lack],
    seconds,
  };
}

/** Separates records from the text of an output, which comes in pieces. */
export class RecordReader {
  readonly records: TestRecord[] = [];
  #rest = '';

  /** @returns the text in the lines that are complete */
  read(piece: string): string {
    const lines = `${this.#rest}${piece}`.split('\n');
    this.#rest = lines.pop()!;
    return lines.map((line) => this.#textIn(line)).join('');
  }

  /** @returns the text after the last line */
  end(): string {
    return this.#rest === '' ? '' : this.read('\n');
  }

  #textIn(line: string): string {
    const [text = '', record] = line.split(MARK, 2);
    if (record === undefined) return `${line}\n`;
    this.records.push(JSON.parse(record) as TestRecord);
    return text;
  }
}
