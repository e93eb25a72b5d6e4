import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { EcmaArray, readAmf0, writeAmf0, type AmfValue } from '../../../server/rtmp/amf0.js';

const reasonOf = (bytes: Buffer): string | undefined => {
  const read = readAmf0(bytes);
  return read.ok ? undefined : read.fault.reason;
};
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** A value inside so many arrays. */
const nested = (depth: number): Buffer => Buffer.concat([...Array(depth).fill(hex('0a 00000001')), hex('05')]);

describe('AMF0', () => {
  const cases: [what: string, bytes: string, value: AmfValue][] = [
    ['a number', '00 3ff8000000000000', 1.5],
    ['true', '01 01', true],
    ['false', '01 00', false],
    ['a string', '02 0003 c3bc61', 'üa'],
    ['an object', '03 0001 61 05 0000 09', new Map([['a', null]])],
    ['null', '05', null],
    ['undefined', '06', undefined],
    ['an ECMA array', '08 00000001 0001 61 01 01 0000 09', new EcmaArray([['a', true]])],
    ['a strict array', '0a 00000002 05 0100', [null, false]],
    ['a date', '0b 408f400000000000 0000', new Date(1000)],
  ];
  for (const [what, bytes, value] of cases) {
    it(`has ${what}`, () => {
      assert.deepEqual(readAmf0(hex(bytes)), { ok: true, values: [value] });
      assert.deepEqual(writeAmf0(value), hex(bytes));
    });
  }

  it('reads types that hardly any encoder sends, and does not write them', () => {
    assert.deepEqual(readAmf0(hex('10 0001 43 0001 61 05 0000 09')), { ok: true, values: [new Map([['a', null]])] });
    assert.deepEqual(readAmf0(hex('0f 00000004 3c612f3e')), { ok: true, values: ['<a/>'] });
    assert.deepEqual(readAmf0(hex('0d')), { ok: true, values: [undefined] });
    assert.deepEqual(readAmf0(hex('03 0001 61 0d 0001 62 01 01 0000 09')), {
      ok: true,
      values: [
        new Map<string, AmfValue>([
          ['a', undefined],
          ['b', true],
        ]),
      ],
    });
    for (const half of ['10 0005 43', '0f 00000004 3c', '10 0001 43 0001 61']) {
      assert.equal(reasonOf(hex(half)), 'amf_invalid');
    }
    assert.equal(reasonOf(hex('0f 7fffffff')), 'amf_too_large');
  });

  it('writes a string of more than 65535 bytes as a long string', () => {
    const bytes = writeAmf0('x'.repeat(70_000));
    assert.equal(bytes.subarray(0, 5).toString('hex'), '0c00011170');
  });

  it('reads a short text in a long string', () => {
    assert.deepEqual(readAmf0(hex('0c 00000001 61')), { ok: true, values: ['a'] });
  });

  it('reads an ECMA array whose count is wrong', () => {
    for (const count of ['00000000', 'ffffffff']) {
      assert.deepEqual(readAmf0(hex(`08 ${count} 0001 61 05 0000 09`)), {
        ok: true,
        values: [new EcmaArray([['a', null]])],
      });
    }
  });

  it('keeps names that have a meaning in JavaScript apart', () => {
    const read = readAmf0(writeAmf0(new Map([['__proto__', 'x']])));
    assert.deepEqual(read, { ok: true, values: [new Map([['__proto__', 'x']])] });
  });

  for (const [what, bytes] of [
    ['an unknown type', '07 0001'],
    ['AMF3', '11 05'],
    ['half a number', '00 3ff8'],
    ['a string that is too short', '02 0005 61'],
    ['an object without an end', '03 0001 61 05'],
    ['an object with an empty name', '03 0000'],
    ['an array that is too short', '0a ffffffff 05'],
  ] as const) {
    it(`refuses ${what}`, () => assert.equal(reasonOf(hex(bytes)), 'amf_invalid'));
  }

  it('refuses more than eight levels', () => {
    assert.equal(reasonOf(nested(8)), undefined);
    assert.equal(reasonOf(nested(9)), 'amf_too_large');
    assert.equal(reasonOf(nested(100_000)), 'amf_too_large');
  });

  it('refuses more than 1024 values', () => {
    assert.equal(reasonOf(Buffer.alloc(1024, 5)), undefined);
    assert.equal(reasonOf(Buffer.alloc(1025, 5)), 'amf_too_large');
    assert.equal(reasonOf(Buffer.concat([hex('0a ffffffff'), Buffer.alloc(60_000, 5)])), 'amf_too_large');
  });

  it('refuses a text of more than 8 KiB', () => {
    assert.equal(reasonOf(writeAmf0('x'.repeat(8 * 1024))), undefined);
    assert.equal(reasonOf(writeAmf0('x'.repeat(8 * 1024 + 1))), 'amf_too_large');
    assert.equal(reasonOf(writeAmf0('x'.repeat(70_000))), 'amf_too_large');
  });

  it('reads what it writes', () => {
    const { value } = fc.letrec<{ value: AmfValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', maxDepth: 6 },
        fc.double(),
        fc.boolean(),
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom(null, undefined),
        fc.date(),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.array(fc.tuple(fc.string({ minLength: 1 }), tie('value')), { maxLength: 4 }).map((all) => new Map(all)),
        fc
          .array(fc.tuple(fc.string({ minLength: 1 }), tie('value')), { maxLength: 4 })
          .map((all) => new EcmaArray(all)),
      ),
    }));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), (values) => {
        assert.deepEqual(readAmf0(writeAmf0(...values)), { ok: true, values });
      }),
    );
  });

  it('of garbage is a fault or values, and never throws', () => {
    const byte = fc.oneof(fc.constantFrom(0, 1, 2, 3, 5, 6, 8, 9, 10, 11, 12), fc.nat(255));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 200 }), (bytes) => {
        const read = readAmf0(Buffer.from(bytes));
        assert.ok(read.ok || ['amf_invalid', 'amf_too_large'].includes(read.fault.reason));
      }),
      { numRuns: 1000 },
    );
  });
});
