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
    rewriter.drop(payload(25_000, 7), true);
    assert.deepEqual(rewritten(rewriter, payload(25_001, 8)), [104, 26]);
  });

  it('have a gap also where the base layer index is new, and is the source’s', () => {
    const rewriter = new PictureIdRewriter();
    const withoutIndex = { ...payload(100, 0), baseLayerIndexAt: -1 };
    rewriter.startSource(withoutIndex);
    rewritten(rewriter, withoutIndex);
    assert.deepEqual(rewritten(rewriter, payload(5, 7)), [102, 7]);
  });

  it('of 7 bits are those of 7 bits, wherever they are in the packet, and nothing else is changed', () => {
    const rewriter = new PictureIdRewriter();
    const short = { ...emptyPayloadInfo(), pictureIdAt: 1, pictureIdBits: 7 };
    const sent = (pictureId: number) => {
      const packet = Buffer.alloc(6, 0x55);
      assert.ok(rewriter.rewrite(packet, 2, { ...short, pictureId }, true));
      return packet.toString('hex');
    };
    rewriter.startSource({ ...short, pictureId: 127 });
    assert.deepEqual([sent(127), sent(0)], ['5555557f5555', '555555005555']);
    rewriter.startSource({ ...short, pictureId: 60 });
    assert.equal(sent(60), '555555015555');
  });

  it('of pictures before the first do not count, so that those after it go on', () => {
    const rewriter = new PictureIdRewriter();
    rewriter.startSource(payload(0, 0));
    assert.deepEqual(rewritten(rewriter, payload(0, 0)), [0, 0]);
    assert.equal(rewritten(rewriter, payload(32_767, 255), false), undefined);
    assert.deepEqual(rewritten(rewriter, payload(1, 1)), [1, 1]);
  });

  it('go on after packets without a picture, such as padding, whether these are dropped or follow a gap', () => {
    const rewriter = new PictureIdRewriter();
    rewriter.startSource(payload(100, 20));
    rewritten(rewriter, payload(100, 20));
    rewriter.drop(emptyPayloadInfo(), true);
    rewriter.resume(emptyPayloadInfo());
    assert.deepEqual(rewritten(rewriter, payload(101, 21)), [101, 21]);
  });

  it('go on after pictures that were left out, also if these came late', () => {
    const rewriter = new PictureIdRewriter();
    rewriter.startSource(payload(100, 20));
    rewritten(rewriter, payload(100, 20));
    rewriter.drop(payload(101, 20), true);
    assert.deepEqual(rewritten(rewriter, payload(103, 22)), [102, 22]);
    rewriter.drop(payload(102, 21), false);
    assert.deepEqual(rewritten(rewriter, payload(104, 23)), [103, 23]);
  });

  it('of an encoding that takes over go on after one without', () => {
    const rewriter = new PictureIdRewriter();
    rewriter.startSource(payload(100, 20));
    rewritten(rewriter, payload(100, 20));
    rewriter.startSource(emptyPayloadInfo());
    rewriter.startSource(payload(7, 9));
    assert.deepEqual(rewritten(rewriter, payload(7, 9)), [101, 21]);
  });

  it('of late packets are those of their picture', () => {
    const rewriter = new PictureIdRewriter();
    rewriter.startSource(payload(100, 20));
    for (const step of [0, 1, 3]) rewritten(rewriter, payload(100 + step, 20 + step));
    assert.deepEqual(rewritten(rewriter, payload(102, 22), false), [102, 22]);
    assert.deepEqual(rewritten(rewriter, payload(104, 24)), [104, 24]);
  });
});
