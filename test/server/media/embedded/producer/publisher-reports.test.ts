import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sdpOffer } from '../../../../support/media/offer.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';

/** With transport feedback there is no REMB, which is sent beside a report without streams. */
const NUMBERED = {
  direction: 'sendonly',
  extensions: {
    2: 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
    3: 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
  },
  congestionFeedback: ['goog-remb', 'transport-cc'],
} as const;

describe('the receiver reports to a publisher', () => {
  const publisher = () => {
    const stream = new RouterFixture();
    const { sink, video, audio } = stream.publish(sdpOffer(NUMBERED));
    let seen = 0;
    /** The number of streams in each report since the last call. */
    const reported = () => {
      const newer = sink.messages.slice(seen);
      seen += newer.length;
      return newer.flatMap((message) => (message.type === 'receiver-report' ? [message.reports.length] : []));
    };
    return { stream, video, audio, reported };
  };

  it('have the streams that sent since the last report, and no others', () => {
    const { stream, video, audio, reported } = publisher();
    video(1, { keyframe: true }, 0);
    audio(1, {}, 0);
    stream.run(0, 900);
    assert.deepEqual(reported(), [2]);
    audio(2, {}, 950);
    stream.run(950, 1_900);
    assert.deepEqual(reported(), [1]);
  });

  it('are not sent when nothing arrives, so that the publisher notices a server that takes nothing any more', () => {
    const { stream, video, reported } = publisher();
    video(1, { keyframe: true }, 0);
    stream.run(0, 900);
    reported();
    stream.run(900, 10_000);
    assert.deepEqual(reported(), []);
    video(2, {}, 10_010);
    stream.run(10_010, 11_010);
    assert.deepEqual(reported(), [1]);
  });
});
