import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sdpOffer, type OfferParts } from '../../../../support/media/offer.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';

const NUMBERED: OfferParts = {
  extensions: {
    2: 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
    3: 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
  },
  congestionFeedback: ['goog-remb', 'transport-cc'],
};

function camera(offer: OfferParts, options?: { readonly maxRembBitrate?: number }) {
  const stream = new RouterFixture();
  const { transport, sink, video, audio } = stream.publish(
    sdpOffer({ direction: 'sendonly', ...offer }),
    null,
    undefined,
    options,
  );
  video(1, { keyframe: true }, 0);
  audio(1, {}, 0);
  return {
    stream,
    transport,
    /** The REMB messages that the publisher got, in bit/s. */
    remb: () => sink.messages.flatMap((message) => (message.type === 'remb' ? [message.bitsPerSecond] : [])),
    reports: () => sink.messages.filter(({ type }) => type === 'receiver-report').length,
  };
}

describe('the bitrate that a publisher is told', () => {
  it('is 4 Mbit/s, every second, where no transport feedback was agreed', () => {
    const { stream, remb, reports } = camera({ congestionFeedback: ['goog-remb'] });
    stream.run(0, 2_999);
    assert.equal(reports(), 3);
    assert.deepEqual(
      remb().map((bitrate) => Math.round(bitrate / 1_000)),
      [4_000, 4_000, 4_000],
    );
  });

  it('is what the configuration says', () => {
    const { stream, remb } = camera({}, { maxRembBitrate: 8_000_000 });
    stream.run(0, 2_999);
    assert.deepEqual(remb(), [8_000_000, 8_000_000, 8_000_000]);
  });

  it('is none where transport feedback was agreed, which limits nothing', () => {
    const { stream, remb, reports } = camera(NUMBERED);
    stream.run(0, 999);
    assert.deepEqual([remb(), reports()], [[], 1]);
  });

  it('is the limit of the account at once, with transport feedback too', () => {
    const { stream, transport, remb } = camera(NUMBERED);
    stream.run(0, 100);
    transport.limitBitrate(512_000);
    stream.run(100, 200);
    assert.deepEqual(remb(), [512_000]);
    stream.run(200, 2_199);
    assert.deepEqual(remb(), [512_000, 512_000, 512_000]);
  });

  it('is lifted with the limit, which the publisher would keep', () => {
    const { stream, transport, remb } = camera(NUMBERED);
    transport.limitBitrate(512_000);
    stream.run(0, 100);
    transport.limitBitrate(undefined);
    stream.run(100, 200);
    assert.ok(remb().at(-1)! > 900_000_000);
  });

  it('is the lower one of the configuration and of the account', () => {
    for (const [limit, told] of [
      [6_000_000, 2_000_000],
      [1_000_000, 1_000_000],
      [undefined, 2_000_000],
    ] as const) {
      const { stream, transport, remb } = camera({}, { maxRembBitrate: 2_000_000 });
      transport.limitBitrate(limit);
      stream.run(0, 100);
      assert.deepEqual(remb(), [told]);
    }
  });
});
