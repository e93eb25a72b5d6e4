import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readAacConfig, type AacConfig } from '../../../server/rtmp/aac-config.js';

/** Bits as `value:count`, filled up with zeros. */
function bits(...fields: readonly `${number}:${number}`[]): Buffer {
  const text = fields
    .map((field) => field.split(':').map(Number))
    .map(([value, count]) => value!.toString(2).padStart(count!, '0'))
    .join('');
  const bytes = text.match(/.{1,8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
}

describe('readAacConfig', () => {
  const cases: [what: string, bytes: Buffer, config: Omit<AacConfig, 'bytes'>][] = [
    [
      'AAC-LC',
      bits('2:5', '3:4', '2:4', '0:3'),
      { profile: 'LC', sampleRate: 48_000, outputSampleRate: 48_000, channels: 2 },
    ],
    [
      '7.1 channels',
      bits('2:5', '4:4', '7:4', '0:3'),
      { profile: 'LC', sampleRate: 44_100, outputSampleRate: 44_100, channels: 8 },
    ],
    [
      'a sample rate in numbers',
      bits('2:5', '15:4', '12345:24', '1:4', '0:3'),
      { profile: 'LC', sampleRate: 12_345, outputSampleRate: 12_345, channels: 1 },
    ],
    [
      'AAC Main',
      bits('1:5', '4:4', '1:4', '0:3'),
      { profile: 'Main', sampleRate: 44_100, outputSampleRate: 44_100, channels: 1 },
    ],
    [
      'another object type',
      bits('31:5', '10:6', '4:4', '1:4'),
      { profile: 'other', sampleRate: 44_100, outputSampleRate: 44_100, channels: 1 },
    ],
    [
      'HE-AAC, explicit',
      bits('5:5', '6:4', '2:4', '3:4', '2:5', '0:3'),
      { profile: 'HE', sampleRate: 24_000, outputSampleRate: 48_000, channels: 2 },
    ],
    [
      'HE-AAC v2, explicit',
      bits('29:5', '6:4', '1:4', '3:4', '2:5', '0:3'),
      { profile: 'HEv2', sampleRate: 24_000, outputSampleRate: 48_000, channels: 1 },
    ],
    [
      'HE-AAC after AAC-LC',
      bits('2:5', '6:4', '2:4', '0:3', `${0x2b7}:11`, '5:5', '1:1', '3:4'),
      { profile: 'HE', sampleRate: 24_000, outputSampleRate: 48_000, channels: 2 },
    ],
    [
      'HE-AAC v2 after AAC-LC',
      bits('2:5', '6:4', '1:4', '0:3', `${0x2b7}:11`, '5:5', '1:1', '3:4', `${0x548}:11`, '1:1'),
      { profile: 'HEv2', sampleRate: 24_000, outputSampleRate: 48_000, channels: 1 },
    ],
    [
      'AAC-LC that says that it has no extension',
      bits('2:5', '6:4', '2:4', '0:3', `${0x2b7}:11`, '5:5', '0:1'),
      { profile: 'LC', sampleRate: 24_000, outputSampleRate: 24_000, channels: 2 },
    ],
  ];
  for (const [what, bytes, config] of cases) {
    it(`reads ${what}`, () => assert.deepEqual(readAacConfig(bytes), { ...config, bytes }));
  }

  for (const [what, bytes] of [
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.of(0x11)],
    ['a reserved sample rate', bits('2:5', '13:4', '2:4', '0:3')],
    ['a reserved number of channels', bits('2:5', '3:4', '9:4', '0:3')],
    ['a sample rate of 0', bits('2:5', '15:4', '0:24', '1:4', '0:3')],
  ] as const) {
    it(`refuses ${what}`, () => assert.equal(readAacConfig(bytes), undefined));
  }

  it('never throws', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => void readAacConfig(Buffer.from(bytes))));
  });
});
