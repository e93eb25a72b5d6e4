import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTransportSequence } from '../../../../../server/media/embedded/rtp/header-extensions.js';
import { timestamp } from '../../../../../server/media/embedded/rtp/packet.js';
import { transportFeedback } from '../../../../../server/media/embedded/rtcp/transport-feedback.js';
import { remb, receiverReport } from '../../../../../server/media/embedded/rtcp/rtcp.js';
import type { OfferParts } from '../../../../support/media/offer.js';
import {
  isSentAgain,
  last,
  openSimulcast,
  TRANSPORT_FEEDBACK,
  TRANSPORT_SEQUENCE_ID,
} from '../../../../support/media/simulcast-fixture.js';

const WITHOUT_RETRANSMISSION: OfferParts = { ...TRANSPORT_FEEDBACK, retransmissions: false };
const OWN_ESTIMATE: OfferParts = {
  kinds: ['video'],
  extensions: { 2: 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time' },
  congestionFeedback: ['goog-remb'],
};

describe('a viewer whose network cannot carry the best encoding', () => {
  it('is sent the encoding that it can carry, and other viewers keep theirs', () => {
    const { watch, pass } = openSimulcast();
    const fast = watch(TRANSPORT_FEEDBACK, {});
    const slow = watch(TRANSPORT_FEEDBACK, { capacity: 700_000 });
    const seen = pass(75, slow);
    assert.deepEqual(new Set(seen.slice(15)), new Set([1]), seen.join(''));
    assert.equal(last(fast.sink), 2);
    assert.equal(pass(1, fast)[0], 2);
  });

  it('has no longer delays while better encodings are probed', () => {
    const { watch, pass } = openSimulcast();
    const slow = watch(TRANSPORT_FEEDBACK, { capacity: 700_000 });
    pass(15, slow);
    slow.forgetJourneys();
    pass(60, slow);
    assert.ok(slow.longestJourney() < 20 + 200, `${slow.longestJourney()}`);
  });

  it('is sent what it can carry most of the time if only a real upgrade can probe the network', () => {
    const { watch, pass } = openSimulcast();
    const slow = watch(WITHOUT_RETRANSMISSION, { capacity: 700_000 });
    const seen = pass(75, slow).slice(15);
    assert.ok(seen.filter((one) => one === 1).length >= 48, seen.join(''));
  });

  it('is downgraded within two seconds when the network narrows, and upgraded when it widens', () => {
    const { watch, pass } = openSimulcast();
    const viewer = watch(TRANSPORT_FEEDBACK, {});
    assert.equal(pass(6, viewer).at(-1), 2);
    viewer.conditions!.capacity = 250_000;
    assert.equal(pass(2, viewer).at(-1), 0);
    viewer.conditions!.capacity = 5_000_000;
    const seen = pass(10, viewer);
    assert.equal(seen.at(-1), 2, seen.join(''));
    // After the upgrade it stays.
    assert.deepEqual(seen, seen.toSorted());
  });

  it('is sent the best encoding with the next keyframe when its transport opens again, on another path', () => {
    const simulcast = openSimulcast();
    const viewer = simulcast.watch(TRANSPORT_FEEDBACK, { capacity: 250_000 });
    assert.equal(simulcast.pass(30, viewer).at(-1), 0);
    viewer.conditions!.capacity = 5_000_000;
    simulcast.stream.router.addSubscriber(viewer.viewer, simulcast.now);
    assert.equal(simulcast.pass(1, viewer).at(-1), 2);
  });

  it('is upgraded as soon after minutes on a narrow network', () => {
    const { watch, pass } = openSimulcast();
    const viewer = watch(TRANSPORT_FEEDBACK, { capacity: 250_000 });
    assert.equal(pass(180, viewer).at(-1), 0);
    viewer.conditions!.capacity = 5_000_000;
    const seen = pass(15, viewer);
    assert.equal(seen.at(-1), 2, seen.join(''));
  });

  it('is sent no padding while it has the best allowed encoding', () => {
    const { watch, pass } = openSimulcast();
    const all = watch(TRANSPORT_FEEDBACK, { capacity: 5_000_000 });
    const small = watch(TRANSPORT_FEEDBACK, { capacity: 200_000 }, { encodingId: '0' });
    pass(20, all);
    for (const { sink } of [all, small]) assert.equal(sink.rtp.filter(isSentAgain).length, 0);
  });

  it('is sent no padding if it does not report on each packet', () => {
    const { watch, pass } = openSimulcast();
    const viewer = watch({ ...OWN_ESTIMATE, retransmissions: true }, { capacity: 700_000 });
    viewer.sendRtcp(remb(9, 200_000, [viewer.ssrcOf('video')]), 0);
    assert.equal(pass(10, viewer).at(-1), 0);
    assert.equal(viewer.sink.rtp.filter(isSentAgain).length, 0);
  });

  it('is believed by its REMB without transport feedback', () => {
    const simulcast = openSimulcast();
    const viewer = simulcast.watch(OWN_ESTIMATE);
    assert.equal(simulcast.pass(3, viewer).at(-1), 2);
    viewer.sendRtcp(remb(9, 400_000, [viewer.ssrcOf('video')]), simulcast.now);
    assert.equal(simulcast.pass(1, viewer).at(-1), 0);
  });

  it('is believed by its receiver reports alone, and recovers when nothing is lost', () => {
    const simulcast = openSimulcast();
    const viewer = simulcast.watch({ kinds: ['video'] });
    const report = { ssrc: viewer.ssrcOf('video'), packetsLost: 0, highestSequence: 0, jitter: 0 };
    const lose = (share: number) => {
      const fractionLost = Math.round(share * 256);
      const lost = { ...report, fractionLost, lastSenderReport: 0, delaySinceLastSenderReport: 0 };
      viewer.sendRtcp(receiverReport(9, [lost]), simulcast.now);
      return simulcast.pass(1, viewer).at(-1)!;
    };
    assert.equal(lose(0), 2);
    for (let second = 0; second < 5; second++) lose(0.5);
    assert.ok(lose(0) < 2);
    const seen = Array.from({ length: 60 }, () => lose(0));
    assert.equal(seen.at(-1), 2);
  });

  it('is heard at most two hundred times a second, because a short message can cover thousands of packets', () => {
    const simulcast = openSimulcast();
    const { watch, pass } = simulcast;
    const [measured, loud] = [watch(TRANSPORT_FEEDBACK), watch(TRANSPORT_FEEDBACK)];
    pass(3, loud);
    const report = (firstSequence: number) =>
      transportFeedback(9, 1, { firstSequence, arrivals: new Float64Array(120).fill(NaN).fill(1, 119), count: 0 });
    const notSent = report(40_000);
    for (let turn = 0; turn < 200; turn++) loud.sendRtcp(notSent, simulcast.now);
    for (const { sink, sendRtcp } of [measured, loud]) {
      sendRtcp(report(readTransportSequence(sink.rtp.at(-1)!, TRANSPORT_SEQUENCE_ID) - 119), simulcast.now);
    }
    pass(0.5, loud);
    assert.deepEqual(
      [measured, loud].map(({ sink }) => last(sink)),
      [0, 2],
    );
  });

  it('is sent a chosen layer all the same', () => {
    const { watch, pass } = openSimulcast();
    const viewer = watch(TRANSPORT_FEEDBACK, { capacity: 700_000 }, { encodingId: '2' });
    assert.equal(pass(8, viewer).at(-1), 2);
  });

  it('is sent fewer frames of a video with one encoding in temporal layers, and all again when the network widens', () => {
    const stream = openSimulcast([6_250], { temporal: true });
    const viewer = stream.watch(TRANSPORT_FEEDBACK, {});
    const framesInSecond = () => {
      const before = viewer.sink.rtp.length;
      stream.pass(1, viewer);
      const sent = viewer.sink.rtp.slice(before).filter((packet) => !isSentAgain(packet));
      return new Set(sent.map(timestamp)).size;
    };
    const framesIn = (seconds: number) => Array.from({ length: seconds }, framesInSecond);
    assert.equal(framesIn(6).at(-1), 30);
    // All layers need 1,500 kbit/s, the lowest two 750 and the lowest 375.
    viewer.conditions!.capacity = 600_000;
    const slow = framesIn(10).slice(3);
    assert.ok(
      slow.every((frames) => frames >= 7 && frames <= 15),
      slow.join(),
    );
    viewer.conditions!.capacity = 5_000_000;
    assert.equal(framesIn(15).at(-1), 30);
  });

  it('is sent the best encoding as long as it reports nothing', () => {
    const { watch, pass } = openSimulcast();
    assert.equal(pass(5, watch({ kinds: ['video'] })).at(-1), 2);
  });
});
