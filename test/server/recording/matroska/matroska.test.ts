import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { clusterOf, readCluster, type Block } from '../../../../server/recording/matroska/cluster.js';
import {
  children,
  element,
  ID,
  readHeader,
  readUint,
  sizeOf,
  uint,
} from '../../../../server/recording/matroska/ebml.js';
import { opusDurationMs } from '../../../../server/recording/matroska/opus-packet.js';

const aBlock: fc.Arbitrary<Block> = fc.record(
  {
    kind: fc.constantFrom('audio' as const, 'video' as const),
    timestampMs: fc.integer({ min: 5_000_000_000, max: 5_000_030_000 }),
    isKeyframe: fc.boolean(),
    data: fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  },
  { noNullPrototype: true },
);

const contentOf = (element: Buffer): Buffer => [...children(element)][0]!.data;

describe('a cluster', () => {
  const blocks = fc.array(aBlock, { minLength: 1, maxLength: 20 });

  it('is read as it was written', () => {
    fc.assert(
      fc.property(blocks, (blocks) => {
        const data = contentOf(clusterOf(blocks));
        assert.deepEqual(readCluster(data), { blocks, bytes: data.length });
      }),
    );
  });

  it('that is cut off has its complete blocks', () => {
    fc.assert(
      fc.property(blocks, fc.nat(), (blocks, cut) => {
        const data = contentOf(clusterOf(blocks));
        const content = data.subarray(0, cut % (data.length + 1));
        const read = readCluster(content);
        assert.deepEqual(read.blocks, blocks.slice(0, read.blocks.length));
        assert.ok(read.bytes <= content.length);
      }),
    );
  });

  it('of any bytes is read without an exception', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void readCluster(Buffer.from(bytes))));
  });
});

describe('an element', () => {
  it('has the size that it was written with', () => {
    fc.assert(
      fc.property(fc.oneof(fc.nat(300), fc.nat(), fc.integer({ min: 0, max: 2 ** 50 })), (size) => {
        const bytes = Buffer.concat([Buffer.of(ID.void), sizeOf(size)]);
        assert.deepEqual(readHeader(bytes, 0), { id: ID.void, size, dataAt: bytes.length });
      }),
    );
  });

  it('has the number that it was written with', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 48 - 1), (value) => {
        assert.equal(readUint(contentOf(uint(ID.timestamp, value))), value);
      }),
    );
  });

  it('may have a size that is not known', () => {
    assert.equal(readHeader(Buffer.from('1853806701ffffffffffffff', 'hex'), 0)?.size, undefined);
    assert.equal(readHeader(Buffer.from('18538067ff', 'hex'), 0)?.dataAt, 5);
    assert.equal(readHeader(element(ID.segment), 0)?.size, 0);
  });
});

describe('an Opus packet', () => {
  for (const [toc, ms] of [
    ['78', 20],
    ['fc', 20],
    ['fd', 40],
    ['fb03', 60],
    ['e0', 2.5],
    ['18', 60],
  ] as const) {
    it(`that begins with ${toc} lasts ${ms} ms`, () => {
      assert.equal(opusDurationMs(Buffer.from(toc, 'hex')), ms);
    });
  }
});
