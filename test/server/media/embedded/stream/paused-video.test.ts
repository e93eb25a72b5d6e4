import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { payloadStart } from '../../../../../server/media/embedded/rtp/packet.js';
import type { OfferParts } from '../../../../support/media/offer.js';
import { isSentAgain, openSimulcast, TRANSPORT_FEEDBACK } from '../../../../support/media/simulcast-fixture.js';
import type { Sink } from '../../../../support/media/router-fixture.js';

const WITH_SOUND: OfferParts = { ...TRANSPORT_FEEDBACK, kinds: ['audio', 'video'] };
/** The mid of the video of these offers. */
const VIDEO = '1';
/** In bit/s: the lowest layer has 150 kbit/s. */
const TOO_NARROW = 90_000;
const WIDE = 5_000_000;
const SOUND = 40_000;
/** The encoding of 1.5 Mbit/s: each payload names its encoding in its last byte. */
const BEST = 2;

describe('a viewer whose network carries less than the lowest layer', () => {
  /** A viewer with sound and video, on a wide network at first. */
  function watching(capacity = WIDE, offer = WITH_SOUND) {
    const simulcast = openSimulcast(undefined, { sound: offer.kinds!.includes('audio') });
    const viewer = simulcast.watch(offer, { capacity });
    const videoPackets = () => viewer.on('video').length;
    const audioPackets = () => viewer.on('audio').length;
    /** Runs for some seconds. @returns the packets of that time */
    const pass = (seconds: number) => {
      const before = { video: videoPackets(), audio: audioPackets() };
      simulcast.pass(seconds, viewer);
      return { video: videoPackets() - before.video, audio: audioPackets() - before.audio };
    };
    return { simulcast, viewer, pass, padding: () => paddingOf(viewer.sink) };
  }

  it('is sent no video after some seconds, and all of the sound', () => {
    const { viewer, pass } = watching();
    pass(6);
    viewer.conditions!.capacity = TOO_NARROW;
    pass(12);
    assert.deepEqual(viewer.paused, [[VIDEO]]);
    const { video, audio } = pass(20);
    assert.equal(video, 0);
    assert.ok(audio >= 980, `${audio}`);
    assert.deepEqual(viewer.paused, [[VIDEO]]);
  });

  it('is sent the sound without a long queue while the network is probed with padding', () => {
    const { viewer, pass, padding } = watching(TOO_NARROW);
    pass(30);
    viewer.forgetJourneys();
    const before = padding();
    pass(60);
    assert.ok(padding() > before);
    assert.ok(viewer.longestJourney() < 500, `${viewer.longestJourney()}`);
  });

  for (const kinds of [['audio', 'video'], ['video']] as const) {
    it(`is sent video again, from a keyframe, when the network widens (${kinds.join(' and ')})`, () => {
      const { simulcast, viewer, pass } = watching(TOO_NARROW, { ...WITH_SOUND, kinds: [...kinds] });
      pass(30);
      assert.equal(viewer.paused.length, 1);
      const before = viewer.on('video').length;
      viewer.conditions!.capacity = WIDE;
      simulcast.pass(20, viewer);
      assert.deepEqual(viewer.paused.at(-1), []);
      assert.ok(isKeyframe(viewer.on('video')[before]!));
      assert.equal(viewer.on('video').at(-1)!.at(-1), BEST);
    });
  }

  for (const kinds of [['audio', 'video'], ['video']] as const) {
    it(`is sent video again when the network carries just the lowest layer (${kinds.join(' and ')})`, () => {
      for (const capacity of [170_000, 185_000, 200_000]) {
        const { viewer, pass } = watching(TOO_NARROW, { ...WITH_SOUND, kinds: [...kinds] });
        pass(30);
        viewer.conditions!.capacity = capacity + (kinds.length > 1 ? SOUND : 0);
        pass(60);
        const { video } = pass(60);
        assert.ok(video > 600, `${capacity}: ${video} packets in a minute`);
      }
    });
  }

  it('has its video paused hardly more than once in a minute on a network narrower than the sound, and back soon', () => {
    for (const capacity of [20_000, 30_000, 40_000]) {
      const { simulcast, viewer, pass } = watching(capacity);
      pass(180);
      assert.ok(viewer.paused.length <= 5, `${capacity}: ${viewer.paused.length} changes`);
      viewer.conditions!.capacity = WIDE;
      simulcast.pass(20, viewer);
      assert.deepEqual(viewer.paused.at(-1), [], `${capacity}: no video`);
    }
  });

  it('is told of no pause on a network that carries the lowest layer', () => {
    const { viewer, pass } = watching(240_000);
    pass(120);
    assert.deepEqual(viewer.paused, []);
  });

  for (const kinds of [['audio', 'video'], ['video']] as const) {
    it(`has its video paused hardly more than once in a minute on a network at the limit (${kinds.join(' and ')})`, () => {
      for (const capacity of [110_000, 150_000, 190_000]) {
        const { viewer, pass } = watching(capacity, { ...WITH_SOUND, kinds: [...kinds] });
        pass(180);
        assert.ok(viewer.paused.length <= 8, `${capacity}: ${viewer.paused.length} changes`);
      }
    });
  }
});

/** The fixture's VP8 payloads: a descriptor of one byte, and whether this is no keyframe. */
const isKeyframe = (packet: Buffer) => {
  const at = payloadStart(packet);
  return packet[at] === 0x10 && packet[at + 1] === 0;
};
const paddingOf = ({ rtp }: Sink) => rtp.filter((packet) => isSentAgain(packet) && packet[0]! & 0x20).length;
