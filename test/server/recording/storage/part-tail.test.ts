import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  joinTail,
  nextTailSpan,
  packTail,
  TAIL_OBJECTS,
  tailKeys,
  unpackTail,
  type TailSpan,
} from '../../../../server/recording/storage/part-tail.js';

/** A file whose bytes say where they are. */
const bytesOf = (from: number, to: number) =>
  Buffer.from(Array.from({ length: to - from }, (_, at) => (from + at) % 251));

describe('the tail of a part in S3', () => {
  it('is written only as far as it grew, then as a whole when all objects are used', () => {
    const spans: TailSpan[] = [];
    for (let written = 10; spans.length <= TAIL_OBJECTS; written += 10) {
      spans.push(nextTailSpan(spans.at(-1), 0, written)!);
    }
    assert.deepEqual(spans.slice(0, 2), [
      { index: 0, from: 0, to: 10 },
      { index: 1, from: 10, to: 20 },
    ]);
    assert.deepEqual(spans.at(-1), { index: 0, from: 0, to: 10 * (TAIL_OBJECTS + 1) });
  });

  it('begins again after a piece', () => {
    const last = { index: 3, from: 60, to: 90 };
    assert.deepEqual(nextTailSpan(last, 100, 120), { index: 0, from: 100, to: 120 });
    assert.deepEqual(nextTailSpan(last, 80, 120), { index: 4, from: 90, to: 120 });
  });

  it('is not written while it does not grow', () => {
    assert.equal(nextTailSpan(undefined, 100, 100), undefined);
    assert.equal(nextTailSpan({ index: 3, from: 60, to: 90 }, 0, 90), undefined);
    assert.equal(nextTailSpan({ index: 3, from: 60, to: 90 }, 100, 100), undefined);
  });

  it('has another key for each object', () => {
    assert.equal(new Set(tailKeys('a/part-1.mkv')).size, TAIL_OBJECTS);
    assert.equal(tailKeys('a/part-1.mkv')[1], 'a/part-1.mkv.tail-1');
  });

  it('takes no object that has no position', () => {
    assert.equal(unpackTail(Buffer.from('short')), undefined);
    const tail = { from: 6_000_000_000, bytes: Buffer.from('abc') };
    assert.deepEqual(unpackTail(packTail(tail)), tail);
  });

  it('has at every moment all bytes up to its last write, whatever was lost of what came before', () => {
    const step = fc.record({
      grow: fc.integer({ min: 0, max: 40 }),
      write: fc.boolean(),
      // The database may learn of a piece late.
      isPieceKnown: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 120 }), (steps, pieceBytes) => {
        const objects = new Map<number, Buffer>();
        let [written, piecesEnd, copied] = [0, 0, 0];
        let last: TailSpan | undefined;
        for (const { grow, write, isPieceKnown } of steps) {
          written += grow;
          if (isPieceKnown && written - piecesEnd >= pieceBytes) piecesEnd += pieceBytes;
          const span = write ? nextTailSpan(last, piecesEnd, written) : undefined;
          if (span) {
            objects.set(span.index, packTail({ from: span.from, bytes: bytesOf(span.from, span.to) }));
            [last, copied] = [span, span.to];
          }
          const there = [...objects.values()].map((object) => unpackTail(object)!);
          const end = Math.max(piecesEnd, copied);
          assert.deepEqual(joinTail(there, piecesEnd), bytesOf(piecesEnd, end));
        }
      }),
    );
  });
});
