import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { frameOf } from '../../../../../server/media/embedded/frames/frame-of.js';

const bytes = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const hex = (frame: Buffer | undefined): string | undefined => frame?.toString('hex');

describe('an H.264 frame', () => {
  const of = (...payloads: string[]) => hex(frameOf('h264', payloads.map(bytes)));

  it('has a start code before each NAL unit', () => {
    assert.equal(of('67 42', '68 ce', '65 88 01'), '0000000167420000000168ce00000001658801');
  });

  it('has the units of an aggregate one by one', () => {
    assert.equal(of('78 0002 6742 0001 68'), '0000000167420000000168');
  });

  it('has one unit of several fragments, with its own type', () => {
    assert.equal(of('7c 85 aa', '7c 05 bb', '7c 45 cc'), '0000000165aabbcc');
  });

  for (const [fault, payloads] of [
    ['an aggregate whose unit ends behind it', ['78 0003 6742']],
    ['an aggregate with an empty unit', ['78 0000 6742']],
    ['a fragment without a start', ['7c 05 bb']],
    ['a fragment that starts within another', ['7c 85 aa', '7c 85 bb']],
    ['a fragment without an end', ['7c 85 aa']],
    ['a unit within a fragment', ['7c 85 aa', '65 88', '7c 45 cc']],
    ['a packet of another packetization mode', ['7d 85 aa']],
    ['an empty payload', ['']],
  ] as const) {
    it(`is none with ${fault}`, () => assert.equal(of(...payloads), undefined));
  }

  it('has at most 1,024 NAL units, in packets of their own or not', () => {
    const aggregate = (units: number) => `78 ${'0001 65'.repeat(units)}`;
    assert.equal(of(aggregate(1_024))?.length, 2 * 5 * 1_024);
    assert.equal(of(aggregate(1_025)), undefined);
    assert.equal(of(aggregate(1_000), ...Array<string>(25).fill('65')), undefined);
  });

  it('is what was fragmented, whatever the lengths', () => {
    const unit = fc.uint8Array({ minLength: 3, maxLength: 60 }).map((unit) => Buffer.from([0x65, ...unit]));
    fc.assert(
      fc.property(unit, fc.integer({ min: 1, max: 20 }), (unit, most) => {
        const fragments: Buffer[] = [];
        for (let at = 1; at < unit.length; at += most) {
          const flags = (at === 1 ? 0x80 : 0) | (at + most >= unit.length ? 0x40 : 0);
          fragments.push(Buffer.concat([Buffer.from([0x7c, flags | 0x05]), unit.subarray(at, at + most)]));
        }
        // One fragment that is both start and end is valid, too.
        assert.deepEqual(frameOf('h264', fragments), Buffer.concat([bytes('00000001'), unit]));
      }),
    );
  });
});

describe('an AV1 frame', () => {
  const of = (...payloads: string[]) => hex(frameOf('av1', payloads.map(bytes)));

  it('has at most 1,024 OBUs', () => {
    assert.equal(of(`00 ${'01 30'.repeat(1_024)}`)?.length, 2 * 2 * 1_024);
    assert.equal(of(`00 ${'01 30'.repeat(1_025)}`), undefined);
  });

  it('has OBUs with sizes, the last one too', () => {
    // Two OBUs: a sequence header with a length in the payload, and a frame up to the end.
    assert.equal(of('28 03 08aabb 30ccdd'), '0a02aabb3202ccdd');
  });

  it('has all OBUs of a payload that does not count them', () => {
    assert.equal(of('08 02 08aa 02 30bb'), '0a01aa3201bb');
  });

  it('has one OBU of several packets', () => {
    assert.equal(of('58 30aa', 'd0 bb', '90 cc'), '3203aabbcc');
  });

  it('keeps the extension and a size that is there', () => {
    assert.equal(of('10 3620 01 aa'), '362001aa');
    assert.equal(of('10 34 20 aa'), '362001aa');
  });

  it('has no temporal delimiter', () => {
    assert.equal(of('20 01 10 30aa'), '3201aa');
  });

  for (const [fault, payloads] of [
    ['an OBU that ends behind its payload', ['08 09 08aa']],
    ['a continuation without a start', ['90 cc']],
    ['an OBU without an end', ['50 30aa']],
    ['a start within another OBU', ['50 30aa', '10 30bb']],
    ['fewer OBUs than it counts', ['30 01 08']],
    ['an empty OBU', ['08 00']],
    ['an empty payload', ['']],
  ] as const) {
    it(`is none with ${fault}`, () => assert.equal(of(...payloads), undefined));
  }
});

describe('a frame', () => {
  it('of VP8 and VP9 is the payloads one after the other', () => {
    for (const codec of ['vp8', 'vp9'] as const) {
      assert.equal(hex(frameOf(codec, [bytes('10 00'), bytes('9d')])), '10009d');
    }
  });

  it('of whatever bytes is never an exception', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('h264', 'av1'),
        fc.array(fc.uint8Array({ maxLength: 24 }), { maxLength: 6 }),
        (codec, payloads) => {
          frameOf(
            codec,
            payloads.map((payload) => Buffer.from(payload)),
          );
        },
      ),
    );
  });
});
