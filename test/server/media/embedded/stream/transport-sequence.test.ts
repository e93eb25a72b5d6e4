import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTransportSequence } from '../../../../../server/media/embedded/rtp/header-extensions.js';
import { TRANSPORT_SEQUENCE } from '../../../../../server/media/sdp/extension-uris.js';
import { transportFeedback } from '../../../../../server/media/embedded/rtcp/transport-feedback.js';
import { ssrc } from '../../../../../server/media/embedded/rtp/packet.js';
import { sdpOffer, type OfferParts } from '../../../../support/media/offer.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';

const ID = 3;
const OFFER: OfferParts = {
  extensions: { [ID]: TRANSPORT_SEQUENCE },
  congestionFeedback: ['goog-remb', 'transport-cc'],
};

/** The extension is offered for each m-line: here only for the video, which is the last. */
const videoOnly = (offer: string): string => offer.replace(`a=extmap:${ID} ${TRANSPORT_SEQUENCE}\r\n`, '');

function watch(offer = sdpOffer(OFFER)) {
  const stream = new RouterFixture();
  const publisher = stream.publish();
  const viewer = stream.viewBy(offer);
  publisher.video(1, { keyframe: true }, 0);
  const numbersOn = (kind: 'audio' | 'video') =>
    viewer.sink.rtp
      .filter((packet) => ssrc(packet) === viewer.ssrcOf(kind))
      .map((packet) => readTransportSequence(packet, ID));
  return { stream, publisher, viewer, numbersOn };
}

describe('the transport-wide sequence number of a viewer', () => {
  it('counts the packets of all m-lines that carry it', () => {
    const { publisher, numbersOn } = watch();
    publisher.audio(1, {}, 5);
    publisher.video(2, {}, 10);
    assert.deepEqual([numbersOn('video'), numbersOn('audio')], [[0, 2], [1]]);
  });

  it('is not taken by packets of an m-line that was offered without it', () => {
    const { publisher, numbersOn } = watch(videoOnly(sdpOffer(OFFER)));
    publisher.audio(1, {}, 5);
    publisher.video(2, {}, 10);
    assert.deepEqual([numbersOn('video'), numbersOn('audio')], [[0, 1], [-1]]);
  });

  it('is not taken by a packet that could not be sent', () => {
    const { publisher, viewer, numbersOn } = watch();
    const { sink } = viewer;
    sink.send = () => false;
    publisher.video(2, {}, 10);
    sink.send = (packet) => sink.packets.push(Buffer.from(packet)) > 0;
    publisher.video(3, {}, 20);
    assert.deepEqual(numbersOn('video'), [0, 1]);
  });
});

describe('a viewer whose transport opens again', () => {
  function openAgain() {
    const watched = watch();
    const { stream, publisher, viewer } = watched;
    // The old path delays the second packet by 400 ms, so the estimate falls.
    for (let sequence = 2; sequence < 40; sequence++) publisher.video(sequence, {}, sequence * 33);
    const arrivals = Float64Array.from({ length: 39 }, (_, index) => index * 33 + (index < 3 ? 0 : 400 + 10 * index));
    viewer.sendRtcp(transportFeedback(9, viewer.ssrcOf('video'), { firstSequence: 0, arrivals, count: 0 }), 2_000);
    const before = viewer.viewer.transport.availableBitrate!;
    stream.router.addSubscriber(viewer.viewer, 3_000);
    return { ...watched, before };
  }

  it('has the estimate of a new path, and no round-trip time', () => {
    const { viewer, before } = openAgain();
    const { transport } = viewer.viewer;
    assert.ok(before < 1_000_000, `${before}`);
    assert.deepEqual([transport.availableBitrate, transport.network.roundTripMs], [2_000_000, undefined]);
  });

  it('continues the numbers, and ignores reports about the old path', () => {
    const { publisher, viewer, numbersOn } = openAgain();
    publisher.video(40, { keyframe: true }, 3_010);
    assert.equal(numbersOn('video').at(-1), 39);
    const arrivals = new Float64Array(38).fill(NaN).fill(1, 37);
    viewer.sendRtcp(transportFeedback(9, viewer.ssrcOf('video'), { firstSequence: 0, arrivals, count: 1 }), 3_020);
    assert.deepEqual(
      [viewer.viewer.transport.availableBitrate, viewer.viewer.transport.network.roundTripMs],
      [2_000_000, undefined],
    );
  });
});
