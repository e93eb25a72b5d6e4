import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BrowserReceiver } from '../../../bench/media/browser-receiver.js';
import { readRtcp } from '../../../server/media/embedded/rtcp/rtcp.js';
import { RetransmissionStream } from '../../../server/media/embedded/rtp/retransmission.js';
import { PAYLOAD_TYPES } from '../../support/media/offer.js';
import { DELTA_PAYLOADS, KEYFRAME_PAYLOADS, rtpPacket } from '../../support/media/rtp.js';

/** A frame in one packet. */
const frame = (number: number, { keyframe = number === 0 } = {}) =>
  rtpPacket({
    sequence: 100 + number,
    timestamp: number * 3_000,
    marker: true,
    payload: (keyframe ? KEYFRAME_PAYLOADS : DELTA_PAYLOADS).vp8,
  });

function openReceiver() {
  const sent: string[] = [];
  const receiver = new BrowserReceiver((rtcp) => {
    for (const message of readRtcp(rtcp)) sent.push(message.type);
  });
  return { receiver, sent };
}

describe('the receiver of a benchmark', () => {
  it('decodes frames in the order of their packets, from a keyframe on', () => {
    const { receiver } = openReceiver();
    for (const number of [1, 2]) receiver.receive(frame(number), 0);
    assert.equal(receiver.frames, 0);
    receiver.receive(frame(3, { keyframe: true }), 0);
    receiver.receive(frame(4), 0);
    assert.equal(receiver.frames, 2);
  });

  it('requests a lost packet, and decodes what follows when it comes as RTX', () => {
    const { receiver, sent } = openReceiver();
    for (const number of [0, 1, 3, 4]) receiver.receive(frame(number), 0);
    assert.deepEqual([receiver.frames, sent], [2, ['nack']]);
    receiver.receive(new RetransmissionStream(7).wrap(frame(2), PAYLOAD_TYPES.vp8 + 1), 10);
    assert.equal(receiver.frames, 5);
  });

  it('asks for a keyframe after three seconds without a picture, and goes on with it', () => {
    const { receiver, sent } = openReceiver();
    for (const number of [0, 2]) receiver.receive(frame(number), 0);
    for (let now = 50; now <= 3_000; now += 50) receiver.tick(now);
    assert.equal(sent.includes('keyframe-request'), false);
    receiver.tick(3_050);
    assert.equal(sent.at(-1), 'keyframe-request');
    receiver.receive(frame(5, { keyframe: true }), 3_100);
    assert.equal(receiver.frames, 2);
  });

  it('repeats the request for its first keyframe every 200 ms', () => {
    const { receiver } = openReceiver();
    receiver.receive(frame(1), 0);
    for (let now = 0; now <= 1_000; now += 50) receiver.tick(now);
    assert.equal(receiver.keyframeRequests, 5);
  });
});
