import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';

/** What strangers send: text, or bytes. */
export type Sent = string | Uint8Array;

/** Makes an input of a size: characters, or bytes. */
export type Growing<Input extends Sent = Sent> = (size: number) => Input;

/** One thing that a stranger can send, and how a hostile one is made. */
export interface CostRow<Input extends Sent = Sent> {
  /** In the words of its grammar: `an offer of a=rtcp-fb lines`. */
  readonly name: string;
  /** The functions and classes that read it, as `server/media/sdp/offer.ts readOffer`. */
  readonly parsers: readonly string[];
  /** The most characters or bytes that reach the parser. */
  readonly limit: number;
  /** Inputs that can grow, for example by `repeated`. */
  readonly inputs: fc.Arbitrary<Growing<Input>>;
  /** Reads an input as the server does. What it throws is an answer too. */
  readonly read: (input: Input) => unknown;
  /** CPU time in ms, at the limit. Default: 20. */
  readonly maxMs?: number;
  /** Memory, as a multiple of the input. Default: 10. Say why if it must be more. */
  readonly maxMemory?: number;
  /** How much longer four times the input may take. Default: 7. Say why if it must be more. */
  readonly maxGrowth?: number;
}

/** A row of the table with the type of its input checked, and forgotten. */
export interface CheckedRow extends Pick<CostRow, 'name' | 'parsers' | 'limit'> {
  /** @throws {assert.AssertionError} if an input costs too much */
  check(): Promise<void>;
}

const MAX_MS = 20;
const MAX_MEMORY = 10;
/** Four times the input takes four times as long if the cost is linear, and sixteen times if it is quadratic. */
const MAX_GROWTH = 7;
/** How many inputs of a row are measured. */
const INPUTS = 8;

export function costRow<Input extends Sent>(row: CostRow<Input>): CheckedRow {
  const { name, parsers, limit, inputs, read } = row;
  const limits = limitsOf(row);
  return {
    name,
    parsers,
    limit,
    check: () =>
      fc.assert(
        fc.asyncProperty(inputs, async (grow) => {
          await mustBeCheap((size) => readingOf(read, grow, size), limits);
        }),
        // A smaller element costs another second or more to try, and says nothing new.
        { numRuns: INPUTS, endOnFailure: true },
      ),
  };
}

/** Inputs with names. Where there are hundreds, each is measured, and not only some of them. */
export interface NamedInput<Input extends Sent = Sent> {
  readonly name: string;
  readonly grow: Growing<Input>;
}

/** Below this part of its limits an input needs no second look. */
const FAR_BELOW = 1 / 4;

/**
 * Checks all inputs, and not a random part of them. Those that cost far less than the limits at the first reading are
 * not measured exactly.
 */
export async function mustAllBeCheap<Input extends Sent>(
  row: Omit<CostRow<Input>, 'inputs'>,
  inputs: readonly NamedInput<Input>[],
): Promise<void> {
  const { read } = row;
  const limits = limitsOf(row);
  const { limit, maxMs, maxMemory } = limits;
  for (const { name, grow } of inputs) {
    const input = grow(limit);
    const [memoryBefore, before] = [memoryUsed(), process.cpuUsage()];
    await answerOf(read, input);
    const { user, system } = process.cpuUsage(before);
    const memory = memoryUsed() - memoryBefore;
    if (user + system < FAR_BELOW * maxMs * 1_000 && memory >= 0 && memory < maxMemory * limit) continue;
    await mustBeCheap((size) => readingOf(read, grow, size), limits).catch((error: unknown) => {
      throw new assert.AssertionError({ message: `${row.name}, ${name}: ${String(error)}` });
    });
  }
}

/** An input of one size, ready to be read. */
interface Reading {
  readonly size: number;
  /** Returns what was read. */
  run(): unknown;
}

function readingOf<Input extends Sent>(read: (input: Input) => unknown, grow: Growing<Input>, size: number): Reading {
  const input = grow(size);
  return { size: input.length, run: () => answerOf(read, input) };
}

interface CostLimits {
  /** The size of the largest input. */
  readonly limit: number;
  readonly maxMs: number;
  readonly maxMemory: number;
  readonly maxGrowth: number;
}

const limitsOf = ({
  limit,
  maxMs = MAX_MS,
  maxMemory = MAX_MEMORY,
  maxGrowth = MAX_GROWTH,
}: Pick<CostRow, 'limit' | 'maxMs' | 'maxMemory' | 'maxGrowth'>): CostLimits => ({
  limit,
  maxMs,
  maxMemory,
  maxGrowth,
});

async function mustBeCheap(reading: (size: number) => Reading, limits: CostLimits) {
  const { limit, maxMemory } = limits;
  await mustTakeLittleTime(reading(Math.floor(limit / 4)), reading(limit), limits);
  await mustTakeLittleMemory(reading(limit), maxMemory);
}

/**
 * Costs below this part of the limit may grow in any way: they are constant, or nobody notices them. Collecting garbage
 * makes small costs grow faster than their inputs.
 */
const NEGLIGIBLE = 1 / 10;
/** Other processes only add to what is measured, so the best of many rounds is the truest. */
const ROUNDS = 40;
const MIN_ROUNDS = 5;

async function mustTakeLittleTime(quarter: Reading, whole: Reading, { maxMs, maxGrowth }: CostLimits): Promise<void> {
  let ofQuarter = Infinity;
  let ofWhole = Infinity;
  // Large elements do not fill a quarter.
  const step = Math.max(1, whole.size / (4 * quarter.size));
  // The compiler needs some time to make code fast.
  await cpuMs(quarter.run);
  for (let round = 1; round <= ROUNDS; round++) {
    ofQuarter = Math.min(ofQuarter, await cpuMs(quarter.run));
    // Code that costs this much at a quarter of the input may take minutes for all of it.
    if (ofQuarter > maxMs && round < MIN_ROUNDS) continue;
    assert.ok(ofQuarter <= maxMs, `${quarter.size} take ${ofQuarter.toFixed(2)} ms of CPU, more than ${maxMs} ms`);
    ofWhole = Math.min(ofWhole, await cpuMs(whole.run));
    const isLinear = ofWhole <= maxGrowth * step * ofQuarter || ofWhole <= NEGLIGIBLE * maxMs;
    if (round >= MIN_ROUNDS && ofWhole <= maxMs && isLinear) return;
  }
  const [small, large] = [ofQuarter.toFixed(3), ofWhole.toFixed(3)];
  assert.ok(ofWhole <= maxMs, `${whole.size} take ${large} ms of CPU, more than ${maxMs} ms`);
  assert.fail(`${quarter.size} take ${small} ms of CPU and ${whole.size} take ${large} ms: this is not linear`);
}

/** Short readings are repeated: the clock of a process is not exact below this. */
const SAMPLE_MICROSECONDS = 400;

/** The CPU time of this process for one reading, however busy the machine is. */
async function cpuMs(run: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  for (let count = 1; ; count++) {
    const result = run();
    if (result instanceof Promise) await result;
    const { user, system } = process.cpuUsage(start);
    if (user + system >= SAMPLE_MICROSECONDS) return (user + system) / count / 1_000;
  }
}

/** What a call takes for itself, whatever it reads. Code that is not compiled yet leaves much more garbage. */
const MEMORY_OF_A_CALL = 256 * 1024;
const MEMORY_ROUNDS = 6;

/** What reading adds to memory: its result, and what has not been collected when it ends. */
async function mustTakeLittleMemory({ size, run }: Reading, times: number): Promise<void> {
  const most = times * size + MEMORY_OF_A_CALL;
  let least = Infinity;
  for (let round = 0; round < MEMORY_ROUNDS && least > most; round++) {
    collectGarbage();
    const before = memoryUsed();
    const result = await run();
    const used = memoryUsed() - before;
    // A collection in between makes it less than nothing.
    if (used >= 0 || result === undefined) least = Math.min(least, used);
  }
  assert.ok(least <= most, `${size} take ${least} bytes of memory, more than ${times} times their size`);
}

function memoryUsed(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Empties the young generation, so that no other collection follows while little is read. */
function collectGarbage(): void {
  collector({ type: 'minor' });
}

setFlagsFromString('--expose-gc');
const collector = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;

/** Only `Error`s are answers: whatever else is thrown would not be caught by the server either. */
function answerOf<Input extends Sent>(read: (input: Input) => unknown, input: Input): unknown {
  try {
    const result = read(input);
    return result instanceof Promise ? result.catch(answered) : result;
  } catch (error) {
    return answered(error);
  }
}

function answered(error: unknown): Error {
  if (error instanceof assert.AssertionError || !(error instanceof Error)) throw error;
  return error;
}

/** An element of a grammar: always the same text, or another one at each place. */
export type Element = string | ((index: number) => string);

/** What stands around repeated elements. */
export interface Frame {
  readonly before?: string;
  readonly between?: string;
  readonly after?: string;
}

/** Text that repeats an element until the size is reached. */
export function repeated(element: Element | fc.Arbitrary<Element>, frame: Frame = {}): fc.Arbitrary<Growing<string>> {
  return arbitraryOf(element).map((each) => repeatedText(each, frame));
}

/** The same for one element. */
export function repeatedText(element: Element, { before = '', between = '', after = '' }: Frame = {}): Growing<string> {
  const textAt = typeof element === 'string' ? () => element : element;
  return (size) => {
    const elements: string[] = [];
    let room = size - before.length - after.length;
    for (let index = 0; ; index++) {
      const text = (index === 0 ? '' : between) + textAt(index);
      room -= Math.max(1, text.length);
      if (room < 0) break;
      elements.push(text);
    }
    return before + elements.join('') + after;
  };
}

/** The same for bytes. `before` may depend on the number of bytes that follow, as a length in a header does. */
export function repeatedBytes(
  element: BytesElement | fc.Arbitrary<BytesElement>,
  before: (length: number) => Uint8Array = () => new Uint8Array(),
): fc.Arbitrary<Growing<Buffer>> {
  return arbitraryOf(element).map((each) => (size) => {
    const elements: Uint8Array[] = [];
    let room = Math.max(0, size - before(0).length);
    if (each instanceof Uint8Array) {
      const length = room - (room % Math.max(1, each.length));
      return Buffer.concat([before(length), Buffer.alloc(length, each)]);
    }
    let length = 0;
    for (let index = 0; ; index++) {
      const bytes = each(index);
      room -= Math.max(1, bytes.length);
      if (room < 0) break;
      elements.push(bytes);
      length += bytes.length;
    }
    return Buffer.concat([before(length), ...elements]);
  });
}

export type BytesElement = Uint8Array | ((index: number) => Uint8Array);

function arbitraryOf<Value>(value: Value | fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return value instanceof fc.Arbitrary ? value : fc.constant(value);
}
