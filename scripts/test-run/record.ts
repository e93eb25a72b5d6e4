import { lackIn } from '../tools.ts';
import { isStandstill } from './standstill.ts';

/** What a runner reports of a test, or of a suite with its tests. */
export interface TestRecord {
  /** From the root of the repository. */
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
  /** Tests, or whole files, that have no result, because their browser stood still. Absent: none. */
  readonly standstills?: number;
  /** Why tests were not run. */
  readonly lacks: readonly string[];
  /** What the browser would need to run other tests: a capability for each test. */
  readonly incapable?: readonly string[];
  readonly seconds: number;
}

/** A test, or a suite, begins or has ended. A job without such news for long hangs. */
export interface TestStep {
  readonly step: 'begins' | 'ends';
  readonly file: string;
  /** Empty: the runner says it of whole files. */
  readonly test: string;
}

/** Begins a record in the output of a runner, which ends with its line. */
const MARK = '\u001e';

export const recordLine = (record: TestRecord): string => `${MARK}${JSON.stringify(record)}\n`;

export const stepLine = (step: TestStep): string => `${MARK}${JSON.stringify(step)}\n`;

/** The record of one test. A test that fails for lack of a tool was not run, and one whose browser stands still has no result. */
export function recordOf(file: string, hasPassed: boolean, seconds: number, errors: string): TestRecord {
  const standstills = Number(!hasPassed && isStandstill(errors));
  const lack = hasPassed ? undefined : lackIn(errors);
  return {
    file,
    passed: Number(hasPassed),
    failed: Number(!hasPassed && lack === undefined && standstills === 0),
    notRun: Number(lack !== undefined),
    standstills,
    lacks: lack === undefined ? [] : [lack],
    seconds,
  };
}

/** Separates records and steps from the text of an output, which comes in pieces. */
export class RecordReader {
  readonly records: TestRecord[] = [];
  #steps = 0;
  readonly #running = new Map<string, TestStep>();
  #rest = '';

  /** It grows with each record and step. */
  get progress(): number {
    return this.records.length + this.#steps;
  }

  /** What has begun and not ended, in the order of its beginning. */
  get running(): readonly TestStep[] {
    return [...this.#running.values()];
  }

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
    const read = JSON.parse(record) as TestRecord | TestStep;
    if ('step' in read) this.#take(read);
    else this.records.push(read);
    return text;
  }

  #take(read: TestStep): void {
    this.#steps += 1;
    const key = `${read.file}\n${read.test}`;
    if (read.step === 'begins') this.#running.set(key, read);
    else this.#running.delete(key);
  }
}
