import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { FrameShedder } from '../../../../../server/media/embedded/producer/frame-shedder.js';
import { emptyMediaPacket } from '../../../../../server/media/embedded/producer/media-packet.js';
import type { Shed } from '../../../../../server/media/embedded/producer/shedding.js';
import { OutgoingPacket } from '../../../../../server/media/embedded/rtp/outgoing-packet.js';

interface Frame {
  readonly number: number;
  readonly temporalId?: number;
  readonly keyframe?: boolean;
}

describe('FrameShedder', () => {
  let shedder: FrameShedder;
  let shedFrames: number;

  beforeEach(() => {
    shedFrames = 0;
    shedder = new FrameShedder(() => shedFrames++);
  });

  /** Passes one packet. `index`: within its frame. @returns whether it is shed */
  function packet({ number, temporalId = -1, keyframe = false }: Frame, index: number, shed: Shed): boolean {
    const media = emptyMediaPacket(new OutgoingPacket());
    media.timestamp = (4_294_960_000 + number * 3_000) >>> 0;
    Object.assign(media.payload, {
      temporalId,
      startsKeyframe: keyframe && index === 0,
      startsFrame: index === 0,
      isLayerSync: temporalId > 0,
      isSwitchingPoint: false,
    });
    return shedder.sheds(media, shed);
  }

  /** Passes a frame of three packets. @returns whether it is shed; it is never shed in part */
  function frame(given: Frame, shed: Shed = 'nothing'): boolean {
    const results = [0, 1, 2].map((index) => packet(given, index, shed));
    assert.ok(results.every((result) => result === results[0]));
    return results[0]!;
  }

  it('sheds the higher temporal layers first', () => {
    const temporal = [0, 2, 1, 2];
    const shed = temporal.map((temporalId, number) =>
      frame({ number, temporalId, keyframe: number === 0 }, 'temporal-layers'),
    );
    assert.deepEqual(shed, [false, true, true, true]);
    assert.equal(shedFrames, 3);
    assert.equal(frame({ number: 4, temporalId: 0 }), false);
    assert.equal(frame({ number: 5, temporalId: 2 }), false, 'a layer returns where a decoder can follow');
  });

  it('forwards videos without temporal layers unless all video is late', () => {
    assert.equal(frame({ number: 0, keyframe: true }, 'temporal-layers'), false);
    assert.equal(frame({ number: 1 }, 'temporal-layers'), false);
    assert.equal(frame({ number: 2 }, 'video'), true);
  });

  it('sheds all that depends on a frame that was shed, until a keyframe', () => {
    frame({ number: 0, keyframe: true });
    assert.equal(frame({ number: 1 }, 'video'), true);
    assert.equal(shedder.needsKeyframe, false, 'it would be shed, too');
    assert.equal(frame({ number: 2 }), true);
    assert.equal(shedder.needsKeyframe, true);
    assert.equal(frame({ number: 3, keyframe: true }, 'video'), true);
    assert.equal(frame({ number: 4 }), true);
    assert.equal(frame({ number: 5, keyframe: true }), false);
    assert.equal(shedder.needsKeyframe, false);
    assert.equal(frame({ number: 6 }), false);
    assert.equal(shedFrames, 4);
  });

  it('does not begin in the middle of a frame', () => {
    packet({ number: 0, keyframe: true }, 0, 'nothing');
    assert.equal(packet({ number: 0 }, 1, 'video'), false);
    assert.equal(packet({ number: 1 }, 0, 'video'), true);
    assert.equal(packet({ number: 1 }, 1, 'nothing'), true);
  });

  it('decides about a late packet as about its frame', () => {
    frame({ number: 0, keyframe: true });
    frame({ number: 1 });
    frame({ number: 2 }, 'video');
    frame({ number: 3 });
    frame({ number: 4, keyframe: true });
    assert.deepEqual(
      [1, 2, 3, 4].map((number) => packet({ number }, 2, 'nothing')),
      [false, true, true, false],
    );
  });

  it('sheds as before where a publisher begins to count anew, at lower timestamps', () => {
    frame({ number: 500_000, keyframe: true });
    assert.equal(frame({ number: 0 }, 'video'), true);
    assert.equal(frame({ number: 1 }), true);
    assert.equal(frame({ number: 2, keyframe: true }), false);
    assert.equal(frame({ number: 3 }), false);
  });

  for (const [where, first] of [
    ['lower', 0],
    ['higher', 600_000],
  ] as const) {
    it(`goes on with a keyframe where a publisher begins to count anew while all is shed, at ${where} timestamps`, () => {
      frame({ number: 500_000, keyframe: true });
      frame({ number: 500_001 }, 'video');
      assert.equal(frame({ number: first }), true);
      assert.equal(shedder.needsKeyframe, true);
      assert.equal(frame({ number: first + 1, keyframe: true }), false);
      assert.equal(shedder.needsKeyframe, false);
      assert.equal(frame({ number: first + 2 }), false);
    });
  }

  it('does not shed frames again whose timestamps are those of shed ones, after 13 hours', () => {
    frame({ number: 0, keyframe: true });
    frame({ number: 1 }, 'video');
    frame({ number: 2 });
    frame({ number: 3, keyframe: true });
    const cycle = Math.round(2 ** 32 / 3_000);
    for (let number = 4; number < cycle; number += 300) assert.equal(frame({ number }), false);
    for (let number = cycle - 2; number < cycle + 10; number++) assert.equal(frame({ number }), false);
  });

  it('never forwards a frame whose references are missing', () => {
    const frames = fc.array(
      fc.record({
        keyframe: fc.boolean(),
        shed: fc.constantFrom<Shed>('nothing', 'temporal-layers', 'video', 'sound'),
      }),
      { maxLength: 100 },
    );
    fc.assert(
      fc.property(frames, (sent) => {
        shedder = new FrameShedder(() => {});
        let decodable = true;
        sent.forEach(({ keyframe, shed }, number) => {
          const isKeyframe = keyframe || number === 0;
          const isShed = frame({ number, keyframe: isKeyframe }, shed);
          if (!isShed && isKeyframe) decodable = true;
          if (isShed) decodable = false;
          else assert.ok(decodable);
        });
      }),
    );
  });
});
