import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RouterFixture } from '../../../../support/media/router-fixture.js';
import { sdpOffer, type OfferParts } from '../../../../support/media/offer.js';

const NUMBERED: OfferParts = {
  extensions: {
    2: 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
    3: 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
  },
  congestionFeedback: ['goog-remb', 'transport-cc'],
};

/** The REMB messages that the publisher gets within three seconds, in bit/s, beside the number of receiver reports. */
function received(offer: OfferParts, options?: { readonly maxRembBitrate?: number }) {
  const stream = new RouterFixture();
  const camera = stream.publish(sdpOffer({ direction: 'sendonly', ...offer }), null, undefined, options);
  camera.video(1, { keyframe: true }, 0);
  camera.audio(1, {}, 0);
  stream.run(0, 2_999);
  const { messages } = camera.sink;
  return {
    remb: messages.flatMap((message) => (message.type === 'remb' ? [message.bitsPerSecond] : [])),
    reports: messages.filter(({ type }) => type === 'receiver-report').length,
  };
}

describe('the bitrate that a publisher is told', () => {
  it('is 4 Mbit/s, every second, where no transport feedback was agreed', () => {
    const { remb, reports } = received({ congestionFeedback: ['goog-remb'] });
    assert.equal(reports, 3);
    assert.deepEqual(
      remb.map((bitrate) => Math.round(bitrate / 1_000)),
      [4_000, 4_000, 4_000],
    );
  });

  it('is what the configuration says', () => {
    assert.deepEqual(received({}, { maxRembBitrate: 8_000_000 }).remb, [8_000_000, 8_000_000, 8_000_000]);
  });

  it('is none where transport feedback was agreed, which limits nothing', () => {
    assert.deepEqual(received(NUMBERED), { remb: [], reports: 3 });
  });
});
