import type * as z from 'zod/mini';
import type { ValueSeal } from '../keys/value-seal.js';
import { SealBrokenError } from '../keys/value-seal.js';
import { RecentValues } from '../../recent-values.js';

/** What is stored in a column cannot be what this program, of any version, wrote. */
export class ColumnFault extends Error {
  override name = 'ColumnFault';

  /** @param reason without anything of what is stored */
  constructor(
    readonly column: string,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`the column ${column} ${reason}`, options);
  }
}

/** The range of `Date`, in milliseconds since 1970. */
const MAX_TIME = 8.64e15;
const WHOLE_NUMBER = /^-?\d{1,16}$/;
const NONE: readonly never[] = Object.freeze([]);
/** Longer lists are rarely equal. */
const LONGEST_SHARED = 200;
const lists = new RecentValues<readonly string[]>(2_000);

/** A time of an aggregate or of a row that is being removed. Null: there is none, or it cannot be read. */
export function storedTime(value: unknown): number | null {
  const time = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return value !== '' && Number.isSafeInteger(time) && Math.abs(time) <= MAX_TIME ? time : null;
}

/** As {@link storedTime}, in ISO 8601. */
export function storedIso(value: unknown): string | null {
  const time = storedTime(value);
  return time === null ? null : new Date(time).toISOString();
}

/**
 * The columns of one row, checked. PostgreSQL returns a bigint as text. SQLite stores any value in any column, and text
 * is greater than every number there: a time that is none would be later than all.
 *
 * Every method throws a {@link ColumnFault} for a value that it cannot read.
 */
export class Columns<Row extends object> {
  readonly #row: Row;
  readonly #tolerated: ColumnFault[] = [];

  constructor(row: Row) {
    this.#row = row;
  }

  /** What was read in place of columns that cannot be read. */
  get tolerated(): readonly ColumnFault[] {
    return this.#tolerated;
  }

  text(name: keyof Row & string): string {
    const value = this.#row[name];
    if (typeof value !== 'string') throw new ColumnFault(name, 'is not text');
    return value;
  }

  /** Text that is only shown, of a column that has certain values. A later version may have written another one. */
  shown<Name extends keyof Row & string>(name: Name): Row[Name] {
    this.text(name);
    return this.#row[name];
  }

  integer(name: keyof Row & string): number {
    const value = this.#row[name];
    const isNumber = typeof value === 'number' || (typeof value === 'string' && WHOLE_NUMBER.test(value));
    const number = isNumber ? Number(value) : Number.NaN;
    if (!Number.isSafeInteger(number)) throw new ColumnFault(name, 'is not a whole number');
    return number;
  }

  /** A number that is not negative. */
  count(name: keyof Row & string): number {
    const number = this.integer(name);
    if (number < 0) throw new ColumnFault(name, 'is negative');
    return number;
  }

  /** Milliseconds since 1970. */
  time(name: keyof Row & string): number {
    const time = this.integer(name);
    if (Math.abs(time) > MAX_TIME) throw new ColumnFault(name, 'is not a time');
    return time;
  }

  flag(name: keyof Row & string): boolean {
    const value = this.#row[name];
    if (value !== 0 && value !== 1) throw new ColumnFault(name, 'is neither 0 nor 1');
    return value === 1;
  }

  oneOf<const Value extends string>(name: keyof Row & string, values: readonly Value[]): Value {
    const text = this.text(name);
    const found = values.find((value) => value === text);
    if (found === undefined) throw new ColumnFault(name, 'has an unknown value');
    return found;
  }

  /** A list of texts in JSON. There may be a million of them, most of which are equal: those share one array. */
  list(name: keyof Row & string): readonly string[] {
    const text = this.#row[name];
    if (text === '[]') return NONE;
    const known = typeof text === 'string' ? lists.get(text) : undefined;
    if (known) return known;
    const value = this.#parsed(name);
    if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string')) {
      throw new ColumnFault(name, 'is not a list of texts');
    }
    Object.freeze(value);
    if (typeof text === 'string' && text.length <= LONGEST_SHARED) lists.set(text, value);
    return value;
  }

  json<Value>(name: keyof Row & string, schema: z.ZodMiniType<Value>): Value {
    return checked(name, this.#parsed(name), schema);
  }

  /** What `seal` opens with `context`. */
  sealed(name: keyof Row & string, seal: Pick<ValueSeal, 'open'>, context: string): string {
    try {
      return seal.open(this.text(name), context);
    } catch (error) {
      if (!(error instanceof SealBrokenError)) throw error;
      throw new ColumnFault(name, 'cannot be decrypted with the key of this server', { cause: error });
    }
  }

  sealedJson<Value>(
    name: keyof Row & string,
    { seal, context, schema }: { seal: Pick<ValueSeal, 'open'>; context: string; schema: z.ZodMiniType<Value> },
  ): Value {
    return checked(name, parsed(name, this.sealed(name, seal, context)), schema);
  }

  /** Whether the column was selected. */
  has(name: keyof Row & string): boolean {
    return this.#row[name] !== undefined;
  }

  isNull(name: keyof Row & string): boolean {
    return this.#row[name] === null;
  }

  /** Null for a column that is null, else what `read` returns. */
  orNull<Value>(name: keyof Row & string, read: (this: this, name: keyof Row & string) => Value): Value | null {
    return this.isNull(name) ? null : read.call(this, name);
  }

  /** `otherwise` in place of a column that cannot be read, which is reported. Never use it for what permits something. */
  tolerate<Value>(read: () => Value, otherwise: Value): Value {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ColumnFault)) throw error;
      this.#tolerated.push(error);
      return otherwise;
    }
  }

  #parsed(name: keyof Row & string): unknown {
    return parsed(name, this.text(name));
  }
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of the error would quote the text.
    throw new ColumnFault(name, 'is not JSON');
  }
}

function checked<Value>(name: string, value: unknown, schema: z.ZodMiniType<Value>): Value {
  const result = schema.safeParse(value);
  if (!result.success) throw new ColumnFault(name, 'is JSON of another form');
  return result.data;
}
