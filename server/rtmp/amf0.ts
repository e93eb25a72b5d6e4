import { uint16, uint32 } from './integers.js';
import type { RtmpFault } from './rtmp-fault.js';

/** The values of AMF0 that RTMP uses. Objects are maps, so that no name of a peer has a meaning in JavaScript. */
export type AmfValue = number | boolean | string | null | undefined | Date | AmfObject | readonly AmfValue[];
export type AmfObject = ReadonlyMap<string, AmfValue>;

/** An object that is written as an ECMA array. Both are read as one. */
export class EcmaArray extends Map<string, AmfValue> {}

/** Real commands nest three objects. */
const MAX_DEPTH = 8;
/** Of one message, keys not counted. The connect of Flash has 20. Metadata that lists keyframes is refused. */
const MAX_VALUES = 1024;
/** In bytes. A stream key with a signed token can have some kB. */
export const MAX_STRING_BYTES = 8 * 1024;

/** The type markers (AMF0 section 2.1). */
const NUMBER = 0x00;
const BOOLEAN = 0x01;
const STRING = 0x02;
const OBJECT = 0x03;
const NULL = 0x05;
const UNDEFINED = 0x06;
const ECMA_ARRAY = 0x08;
const OBJECT_END = 0x09;
const STRICT_ARRAY = 0x0a;
const DATE = 0x0b;
const LONG_STRING = 0x0c;
/** Those of Flash that encoders hardly send. They are read and never written. */
const UNSUPPORTED = 0x0d;
const XML_DOCUMENT = 0x0f;
const TYPED_OBJECT = 0x10;

export type AmfReading =
  { readonly ok: true; readonly values: readonly AmfValue[] } | { readonly ok: false; readonly fault: RtmpFault };

/** Reads all values of a message. Other types, such as references and AMF3, are a fault. Never throws. */
export function readAmf0(bytes: Buffer): AmfReading {
  const reader = new Amf0Reader(bytes);
  try {
    return { ok: true, values: reader.readAll() };
  } catch (error) {
    if (error instanceof AmfFault) return { ok: false, fault: error.fault };
    throw error;
  }
}

/** Ends the reading of nested values. It does not leave this module. */
class AmfFault extends Error {
  constructor(readonly fault: RtmpFault) {
    super(fault.message);
  }
}

const invalid = (message: string): AmfFault => new AmfFault({ reason: 'amf_invalid', message });
const tooLarge = (message: string): AmfFault => new AmfFault({ reason: 'amf_too_large', message });

class Amf0Reader {
  readonly #bytes: Buffer;
  #at = 0;
  #values = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  readAll(): AmfValue[] {
    const values: AmfValue[] = [];
    while (this.#at < this.#bytes.length) values.push(this.#value(0));
    return values;
  }

  #value(depth: number): AmfValue {
    if (++this.#values > MAX_VALUES) throw tooLarge(`AMF has more than ${MAX_VALUES} values`);
    if (depth > MAX_DEPTH) throw tooLarge(`AMF is nested more than ${MAX_DEPTH} times`);
    const marker = this.#bytes[this.#take(1)]!;
    switch (marker) {
      case NUMBER:
        return this.#bytes.readDoubleBE(this.#take(8));
      case BOOLEAN:
        return this.#bytes[this.#take(1)] !== 0;
      case STRING:
        return this.#string(this.#bytes.readUInt16BE(this.#take(2)));
      case LONG_STRING:
      case XML_DOCUMENT:
        return this.#string(this.#uint32());
      case NULL:
        return null;
      case UNDEFINED:
      case UNSUPPORTED:
        return undefined;
      case DATE: {
        const date = new Date(this.#bytes.readDoubleBE(this.#take(8)));
        // The time zone, which is reserved.
        this.#take(2);
        return date;
      }
      case TYPED_OBJECT:
        // The name of its class has no meaning here.
        this.#string(this.#bytes.readUInt16BE(this.#take(2)));
        return this.#object(new Map(), depth);
      case OBJECT:
        return this.#object(new Map(), depth);
      case ECMA_ARRAY:
        // The count is a hint only: some encoders send 0.
        this.#uint32();
        return this.#object(new EcmaArray(), depth);
      case STRICT_ARRAY:
        return this.#array(this.#uint32(), depth);
      default:
        throw invalid(`AMF has a value of type ${marker}`);
    }
  }

  #object(object: Map<string, AmfValue>, depth: number): AmfObject {
    for (;;) {
      const key = this.#string(this.#bytes.readUInt16BE(this.#take(2)));
      if (key === '' && this.#bytes[this.#at] === OBJECT_END) {
        this.#at++;
        return object;
      }
      object.set(key, this.#value(depth + 1));
    }
  }

  /** The count is not trusted: each value needs a byte. */
  #array(count: number, depth: number): AmfValue[] {
    const values: AmfValue[] = [];
    for (let index = 0; index < count; index++) values.push(this.#value(depth + 1));
    return values;
  }

  #string(length: number): string {
    if (length > MAX_STRING_BYTES) throw tooLarge(`AMF has a text of ${length} bytes`);
    const start = this.#take(length);
    return this.#bytes.toString('utf8', start, start + length);
  }

  #uint32(): number {
    return this.#bytes.readUInt32BE(this.#take(4));
  }

  /** @returns where the bytes start */
  #take(length: number): number {
    const start = this.#at;
    if (start + length > this.#bytes.length) throw invalid('AMF ends inside a value');
    this.#at = start + length;
    return start;
  }
}

/** Writes values one after the other. */
export function writeAmf0(...values: readonly AmfValue[]): Buffer {
  return Buffer.concat(values.flatMap(partsOf));
}

function partsOf(value: AmfValue): readonly Buffer[] {
  if (value === undefined) return [Buffer.of(UNDEFINED)];
  if (value === null) return [Buffer.of(NULL)];
  if (typeof value === 'boolean') return [Buffer.of(BOOLEAN, Number(value))];
  if (typeof value === 'number') return [Buffer.of(NUMBER), double(value)];
  if (typeof value === 'string') return stringParts(value);
  if (value instanceof Date) return [Buffer.of(DATE), double(value.getTime()), Buffer.of(0, 0)];
  if (value instanceof Map) {
    const start = value instanceof EcmaArray ? [Buffer.of(ECMA_ARRAY), uint32(value.size)] : [Buffer.of(OBJECT)];
    const entries = [...(value as AmfObject)].flatMap(([key, entry]) => [shortString(key), writeAmf0(entry)]);
    return [...start, ...entries, Buffer.of(0, 0, OBJECT_END)];
  }
  const array = value as readonly AmfValue[];
  return [Buffer.of(STRICT_ARRAY), uint32(array.length), ...array.flatMap(partsOf)];
}

function stringParts(value: string): readonly Buffer[] {
  const bytes = Buffer.from(value);
  if (bytes.length <= 0xffff) return [Buffer.of(STRING), shortString(value)];
  return [Buffer.of(LONG_STRING), uint32(bytes.length), bytes];
}

/** UTF-8 after its length in two bytes. */
function shortString(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint16(bytes.length), bytes]);
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
}
