import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import {
  payloadStart,
  payloadType,
  sequenceNumber,
  timestamp,
  withoutHeaderExtension,
} from '../../../../../server/media/embedded/rtp/packet.js';
import { nack, receiverReport } from '../../../../../server/media/embedded/rtcp/rtcp.js';
import { packRedundancy, unpackRedundancy } from '../../../../../server/media/embedded/rtp/redundant-audio.js';
import { REDUNDANCY, sdpOffer, type OfferParts } from '../../../../support/media/offer.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';
import { rtpPacket } from '../../../../support/media/rtp.js';

const OPUS = 111;
const FRAME = 960;
const FRAME_MS = 20;

const soundOf = (sequence: number) => Buffer.from(`sound ${sequence}`);
const packetOf = (sequence: number, payloadType = OPUS) =>
  rtpPacket({ sequence, timestamp: sequence * FRAME, ssrc: 1, payloadType, payload: soundOf(sequence) });

/** With the packets before it. */
function redundant(sequence: number, before: readonly number[] = [sequence - 1]): Buffer {
  const blocks = before.map((each) => ({ timestampOffset: (sequence - each) * FRAME, payload: soundOf(each) }));
  const packet = packRedundancy(packetOf(sequence), OPUS, blocks);
  packet[1] = REDUNDANCY;
  return packet;
}

describe('sound that is lost on the way from the broadcaster', () => {
  let stream: RouterFixture;

  beforeEach(() => {
    stream = new RouterFixture();
  });

  const publish = (parts: OfferParts) => stream.publish(sdpOffer({ direction: 'sendonly', ...parts }));

  /** Content, and what is constant between sequence number and timestamp of packets and of what was sent. */
  function heard(viewer: ReturnType<RouterFixture['view']>): string[] {
    const packets = viewer.on('audio').map((packet) => withoutHeaderExtension(packet));
    assert.ok(packets.every((packet) => payloadType(packet) === OPUS));
    const shifts = packets.map((packet) => {
      const number = Number(packet.subarray(payloadStart(packet)).toString().slice(6));
      return [(sequenceNumber(packet) - number) & 0xffff, (timestamp(packet) - number * FRAME) >>> 0].join();
    });
    assert.equal(new Set(shifts).size, 1);
    return packets.map((packet) => packet.subarray(payloadStart(packet)).toString());
  }

  it('is restored from the packet after it, and reaches viewers in order', () => {
    const microphone = publish({ redundancy: true });
    const viewer = stream.view();
    for (const sequence of [1, 3, 4]) microphone.send(redundant(sequence), sequence * FRAME_MS);
    assert.deepEqual(heard(viewer), ['sound 1', 'sound 2', 'sound 3', 'sound 4']);
  });

  it('is restored from one packet with several others', () => {
    const microphone = publish({ redundancy: true });
    const viewer = stream.view();
    microphone.send(redundant(1), 0);
    microphone.send(redundant(4, [2, 3]), 60);
    assert.deepEqual(heard(viewer), ['sound 1', 'sound 2', 'sound 3', 'sound 4']);
  });

  it('is not sent twice if it only came late', () => {
    const microphone = publish({ redundancy: true });
    const viewer = stream.view();
    for (const sequence of [1, 3, 2, 4]) microphone.send(redundant(sequence), 0);
    assert.deepEqual(heard(viewer), ['sound 1', 'sound 2', 'sound 3', 'sound 4']);
  });

  it('still counts as lost in what the broadcaster and the dashboard are told', () => {
    const microphone = publish({ redundancy: true });
    for (const sequence of [1, 3, 4]) microphone.send(redundant(sequence), 0);
    stream.run(0, 1_000);
    const reports = microphone.sink.messages.flatMap((message) =>
      message.type === 'receiver-report' ? message.reports : [],
    );
    assert.equal(reports[0]?.packetsLost, 1);
    assert.equal(stream.receptions[0]?.state.lost, 1);
  });

  it('is what a sender without redundancy sends plainly, though redundancy was agreed', () => {
    const microphone = publish({ redundancy: true });
    const viewer = stream.view();
    for (const sequence of [1, 2, 3]) microphone.send(packetOf(sequence), 0);
    assert.deepEqual(heard(viewer), ['sound 1', 'sound 2', 'sound 3']);
  });

  it('leaves malformed redundancy out', () => {
    const microphone = publish({ redundancy: true });
    const viewer = stream.view();
    microphone.send(redundant(1), 0);
    microphone.send(packetOf(2, REDUNDANCY), 0);
    microphone.send(redundant(3, []), 0);
    assert.deepEqual(heard(viewer), ['sound 1', 'sound 3']);
  });

  const requested = ({ sink }: ReturnType<typeof publish>) =>
    sink.messages.flatMap((message) => (message.type === 'nack' ? [message.sequenceNumbers] : []));

  it('is requested if the broadcaster offers that', () => {
    const microphone = publish({ audioNack: true });
    for (const sequence of [1, 2, 5]) microphone.send(packetOf(sequence), 0);
    assert.equal(stream.router.needsTickSoon, true);
    stream.run(0, 40);
    assert.deepEqual(requested(microphone), [[3, 4]]);
  });

  it('is not requested if it was restored', () => {
    const microphone = publish({ audioNack: true, redundancy: true });
    for (const sequence of [1, 2, 5]) microphone.send(redundant(sequence), 0);
    stream.run(0, 40);
    assert.deepEqual(requested(microphone), [[3]]);
  });

  it('is not requested if the broadcaster does not offer that', () => {
    const microphone = publish({});
    for (const sequence of [1, 2, 5]) microphone.send(packetOf(sequence), 0);
    assert.equal(stream.router.needsTickSoon, false);
    stream.run(0, 40);
    assert.deepEqual(requested(microphone), []);
  });
});

describe('sound that is lost on the way to a viewer', () => {
  let stream: RouterFixture;
  let microphone: ReturnType<RouterFixture['publish']>;
  let sequence: number;

  beforeEach(() => {
    stream = new RouterFixture();
    microphone = stream.publish();
    sequence = 0;
  });

  const view = (parts: OfferParts = {}) => stream.view({ redundancy: true, audioNack: true, ...parts });
  type Viewer = ReturnType<typeof view>;

  /** Sends so many packets. @param loses those that the server never receives */
  function play(count: number, loses: (sequence: number) => boolean = () => false): void {
    for (let packet = 0; packet < count; packet++) {
      sequence++;
      if (!loses(sequence)) microphone.send(packetOf(sequence), sequence * FRAME_MS);
    }
  }

  /** What the newest packet of a viewer contains, oldest first. */
  function newest(viewer: Viewer): string[] {
    const packet = withoutHeaderExtension(Buffer.from(viewer.on('audio').at(-1)!));
    if (payloadType(packet) === OPUS) return [packet.subarray(12).toString()];
    assert.equal(payloadType(packet), REDUNDANCY);
    const unpacked = unpackRedundancy(packet, OPUS)!;
    const own = unpacked.packet.subarray(12).toString();
    return [
      ...unpacked.blocks.map(({ payload, timestampOffset }) => {
        const age = Number(own.slice(6)) - Number(payload.toString().slice(6));
        assert.equal(timestampOffset, age * FRAME);
        return payload.toString();
      }),
      own,
    ];
  }

  const sentAs = (viewer: Viewer, wanted: number) => {
    const first = sequenceNumber(viewer.on('audio')[0]!);
    return (first + wanted - 1) & 0xffff;
  };

  /** A report on everything that was sent so far. */
  function report(viewer: Viewer, packetsLost: number): void {
    const block = { fractionLost: 0, jitter: 0, lastSenderReport: 0, delaySinceLastSenderReport: 0 };
    const highestSequence = sequenceNumber(viewer.on('audio').at(-1)!);
    const ssrc = viewer.ssrcOf('audio');
    viewer.sendRtcp(receiverReport(9, [{ ...block, ssrc, highestSequence, packetsLost }]), sequence * FRAME_MS);
  }

  const request = (viewer: Viewer, ...missing: readonly number[]) =>
    viewer.sendRtcp(
      nack(
        9,
        viewer.ssrcOf('audio'),
        missing.map((each) => sentAs(viewer, each)),
      ),
      sequence * FRAME_MS,
    );

  it('costs a viewer on a good link nothing', () => {
    const viewer = view();
    play(250);
    report(viewer, 0);
    play(1);
    assert.deepEqual(newest(viewer), ['sound 251']);
  });

  it('is carried by the next packet while the link loses some, and by two if it loses many', () => {
    const [some, many] = [view(), view()];
    play(250);
    report(some, 5);
    report(many, 25);
    play(1);
    assert.deepEqual(newest(some), ['sound 250', 'sound 251']);
    assert.deepEqual(newest(many), ['sound 249', 'sound 250', 'sound 251']);
  });

  it('is carried no more when the link is good again', () => {
    const viewer = view();
    play(250);
    report(viewer, 30);
    const depths = Array.from({ length: 6 }, () => {
      play(250);
      report(viewer, 30);
      play(1);
      return newest(viewer).length - 1;
    });
    assert.deepEqual(depths, [2, 1, 1, 0, 0, 0]);
  });

  it('is not what the server itself did not receive', () => {
    const viewer = view();
    play(250, (sequence) => sequence % 10 === 5);
    // The viewer counts the gaps as lost.
    report(viewer, 25);
    play(1);
    assert.deepEqual(newest(viewer), ['sound 251']);
  });

  it('is what the link lost, also if the server did not receive everything', () => {
    const viewer = view();
    play(250, (sequence) => sequence % 10 === 5);
    report(viewer, 25 + 9);
    play(1);
    assert.deepEqual(newest(viewer), ['sound 250', 'sound 251']);
  });

  it('is not what only came late to the server, which the viewer requests before it arrives there', () => {
    const viewer = view();
    for (let times = 0; times < 30; times++) {
      play(5, (each) => each % 5 === 2);
      // Sent again by the broadcaster.
      microphone.send(packetOf(sequence - 3), sequence * FRAME_MS);
      request(viewer, sequence - 3);
    }
    play(1);
    assert.deepEqual(newest(viewer), ['sound 151']);
  });

  it('is carried by the next packet if the viewer requests it', () => {
    const viewer = view();
    play(20);
    request(viewer, 15, 17);
    play(1);
    assert.deepEqual(newest(viewer), ['sound 15', 'sound 17', 'sound 21']);
    play(1);
    assert.deepEqual(newest(viewer), ['sound 22']);
  });

  it('is not carried again if a packet that arrived carried it', () => {
    const viewer = view();
    play(250);
    report(viewer, 5);
    play(10);
    // 255 was in 256, which is missing too; 256 was in 257.
    request(viewer, 255, 256);
    play(1);
    assert.deepEqual(newest(viewer), ['sound 255', 'sound 260', 'sound 261']);
  });

  it('is requested by many packets before a report tells that the link is bad', () => {
    const viewer = view();
    play(100);
    request(viewer, 91, 95, 97);
    play(2);
    assert.deepEqual(newest(viewer), ['sound 101', 'sound 102']);
  });

  it('is not carried if it is too old to be played', () => {
    const viewer = view();
    play(60);
    request(viewer, 20);
    play(1);
    assert.deepEqual(newest(viewer), ['sound 61']);
  });

  it('is not that of another source', () => {
    const viewer = view({ kinds: ['audio'] });
    play(250);
    report(viewer, 25);
    microphone.end(sequence * FRAME_MS);
    microphone = stream.publish();
    play(1);
    assert.deepEqual(newest(viewer), ['sound 251']);
  });

  it('is sent again unchanged to a viewer without redundancy', () => {
    const viewer = view({ redundancy: false });
    play(20);
    const [original] = viewer.on('audio').slice(-3);
    request(viewer, 18);
    assert.deepEqual(viewer.on('audio').at(-1), original);
    assert.equal(viewer.on('audio').length, 21);
    play(40);
    request(viewer, 19);
    assert.equal(viewer.on('audio').length, 61, 'what comes after its playout time is not sent');
  });
});
