import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mustTakeLittleMemory, mustTakeLittleTime, type CostLimits, type Reading } from './cost-measure.js';

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
  /** Bytes of memory for each byte that the input grows by. Default: 10. Say why if it must be more. */
  readonly maxMemory?: number;
  /** Bytes of memory that a call takes whatever the size of its input. Default: 32 kB, as Node takes for its pool of buffers. Say of what it consists. */
  readonly fixedMemory?: number;
  /** How much longer each byte may take in four times the input. Default: 1.75. Say why if it must be more. */
  readonly maxGrowth?: number;
}

/** A row of the table with the type of its input checked, and forgotten. */
export interface CheckedRow extends Pick<CostRow, 'name' | 'parsers' | 'limit'> {
  /** @throws {assert.AssertionError} if an input costs too much */
  check(): Promise<void>;
}

/** In bytes. */
export const MB = 1024 * 1024;

const DEFAULTS: CostLimits = { maxMs: 20, maxGrowth: 1.75, maxMemory: 10, fixedMemory: 32 * 1024 };
/** How many inputs of a row are measured. */
const INPUTS = 8;
const SEED = 1;
const ROUNDS = 3;

export function costRow<Input extends Sent>(row: CostRow<Input>): CheckedRow {
  const { name, parsers, limit, inputs } = row;
  return {
    name,
    parsers,
    limit,
    check: () =>
      fc.assert(
        fc.asyncProperty(inputs, async (grow) => {
          await mustBeCheap(row, grow, ROUNDS);
        }),
        // The same inputs each time: one that is a little above a limit must not be found by a change of something else.
        // A smaller element costs another second or more to try, and says nothing new.
        { numRuns: INPUTS, endOnFailure: true, seed: SEED },
      ),
  };
}

/** Inputs with names. Where there are hundreds, each is measured, and not only some of them. */
export interface NamedInput<Input extends Sent = Sent> {
  readonly name: string;
  readonly grow: Growing<Input>;
}

/** Checks all inputs, and not a random part of them. */
export async function mustAllBeCheap<Input extends Sent>(
  row: Omit<CostRow<Input>, 'inputs'>,
  inputs: readonly NamedInput<Input>[],
): Promise<void> {
  for (const { name, grow } of inputs) {
    await mustBeCheap(row, grow, ROUNDS).catch((error: unknown) => {
      throw new assert.AssertionError({ message: `${row.name}, ${name}: ${String(error)}` });
    });
  }
}

async function mustBeCheap<Input extends Sent>(
  { limit, read, ...limits }: Omit<CostRow<Input>, 'inputs'>,
  grow: Growing<Input>,
  rounds: number,
): Promise<void> {
  const all = { ...DEFAULTS, ...limits };
  const readingOf = (size: number): Reading => {
    const input = grow(size);
    return { size: input.length, run: () => answerOf(read, input) };
  };
  const [quarter, whole] = [readingOf(Math.floor(limit / 4)), readingOf(limit)];
  await mustTakeLittleTime(quarter, whole, all, rounds);
  await mustTakeLittleMemory(quarter, whole, all);
}

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
  if (typeof element === 'string') {
    const next = between + element;
    return (size) => {
      const room = size - before.length - after.length - Math.max(1, element.length);
      if (room < 0) return before + after;
      return before + element + next.repeat(Math.floor(room / Math.max(1, next.length))) + after;
    };
  }
  return (size) => {
    const elements: string[] = [];
    let room = size - before.length - after.length;
    for (let index = 0; ; index++) {
      const text = (index === 0 ? '' : between) + element(index);
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
