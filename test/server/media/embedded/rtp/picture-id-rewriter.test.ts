import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emptyPayloadInfo, type PayloadInfo } from '../../../../../server/media/embedded/rtp/payload-info.js';
import { PictureIdRewriter } from '../../../../../server/media/embedded/rtp/picture-id-rewriter.js';

/** A payload that begins with a picture id of 15 bits and a base layer index. */
const payload = (pictureId: number, baseLayerIndex: number): PayloadInfo => ({
  ...emptyPayloadInfo(),
  pictureIdAt: 0,
  pictureIdBits: 15,
  pictureId,
  baseLayerIndexAt: 2,
  baseLayerIndex,
});

/** Picture id and base layer index as they are sent. */
function rewritten(rewriter: PictureIdRewriter, info: PayloadInfo, isNewest = true): number[] | undefined {
  const packet = Buffer.alloc(3);
  if (!rewriter.rewrite(packet, 0, info, isNewest)) return undefined;
  return [packet.readUInt16BE(0) & 0x7fff, packet[2]!];
}

describe('picture ids', () => {
  it('continue in the next encoding after the newest one, whatever was sent again meanwhile', () => {
    const rewriter = new PictureIdRewriter();
    rewriter.startSource(payload(100, 20));
    for (let step = 0; step < 10; step++) rewritten(rewriter, payload(100 + step, 20 + step));
    assert.deepEqual(rewritten(rewriter, payload(102, 22), false), [102, 22]);
    rewriter.startSource(payload(9_000, 200));
    assert.deepEqual(rewritten(rewriter, payload(9_000, 200)), [110, 30]);
  });

  it('have a gap where the encoder begins to count anew, so that decoders know of missing pictures', () => {
    for (const anew of [5, 25_000]) {
      const rewriter = new PictureIdRewriter();
      rewriter.startSource(payload(100, 20));
      rewritten(rewriter, payload(100, 20));
      assert.deepEqual(rewritten(rewriter, payload(anew, 7)), [102, 22], `${anew}`);
      assert.deepEqual(rewritten(rewriter, payload(anew + 1, 8)), [103, 23], `${anew}`);
    }
  });

  it('of pictures that are left out leave no gap, also where the encoder begins to count anew', () => {
    const rewriter = new PictureIdRewriter();
    rewriter.startSource(payload(100, 20));
    rewritten(rewriter, payload(100, 20));
    rewriter.drop(payload(5, 20), true);
    assert.deepEqual(rewritten(rewriter, payload(6, 21))?.[0], 102);
  });

  it('of late packets are those of their picture', () => {
    const rewriter = new PictureIdRewriter();
    rewriter.startSource(payload(100, 20));
    for (const step of [0, 1, 3]) rewritten(rewriter, payload(100 + step, 20 + step));
    assert.deepEqual(rewritten(rewriter, payload(102, 22), false), [102, 22]);
    assert.deepEqual(rewritten(rewriter, payload(104, 24)), [104, 24]);
  });
});
