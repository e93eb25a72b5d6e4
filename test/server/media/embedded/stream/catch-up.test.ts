import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { addedSourceTracks, FramePacketizer } from '../../../../../server/media/embedded/frames/frame-packetizer.js';
import { AddedSource, type FedPacket } from '../../../../../server/media/embedded/producer/fed-source.js';
import { nack } from '../../../../../server/media/embedded/rtcp/rtcp.js';
import { sequenceNumber, setSequenceNumber, timestamp } from '../../../../../server/media/embedded/rtp/packet.js';
import type { LossFeedback } from '../../../../../server/media/sdp/offered-media.js';
import { sdpOffer } from '../../../../support/media/offer.js';
import type { Keyframe } from '../../../../../server/media/engine/media-track.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';
import { KEYFRAME_PAYLOADS } from '../../../../support/media/rtp.js';

const FRAME_MS = 40;
const KEYFRAME = KEYFRAME_PAYLOADS.vp8.subarray(1);
/** The number of the frame is its last byte. */
const frameOf = (packet: Buffer): number => packet.at(-1)!;

describe('a viewer of a source that cannot be asked for keyframes', () => {
  let stream: RouterFixture;
  let source: AddedSource;
  let packetizer: FramePacketizer;
  let now: number;
  let frames: number;
  /** Sequence numbers that no packet had. */
  let skipped: number;
  /** Whether of two packets the second comes first. */
  let inPairs: boolean;
  let late: FedPacket | undefined;

  beforeEach(() => {
    [now, frames, skipped, inPairs, late] = [0, 0, 0, false, undefined];
    open();
  });

  function open(askable = false): void {
    stream = new RouterFixture();
    const onKeyframeRequest = () => {};
    const tracks = addedSourceTracks({ video: { codec: 'vp8' } }, askable ? { onKeyframeRequest } : {});
    source = new AddedSource({ id: null, tracks, events: stream.router.sourceEvents, onKeyframeRequest });
    stream.router.addSource(source);
    const output = {
      sendPacket(encoding: number, number: number, packet: Buffer) {
        const sequence = number + skipped;
        setSequenceNumber(packet, sequence & 0xffff);
        const fed = { sequence, packet, arrivedAt: now };
        if (inPairs && !late) {
          late = fed;
          return true;
        }
        source.deliver(encoding, fed, now);
        if (late) source.deliver(encoding, late, now);
        late = undefined;
        return true;
      },
      sendClock() {},
    };
    packetizer = new FramePacketizer(tracks, output, () => now);
  }

  /** The next frame, when it is due. */
  function frame(isKeyframe = false): void {
    now = frames * FRAME_MS;
    frames++;
    const data = Buffer.concat([isKeyframe ? KEYFRAME : Buffer.from([0x01, 0, 0]), Buffer.from([frames])]);
    packetizer.write({ kind: 'video', data, isKeyframe, timestampMs: now });
  }

  function play(count: number): void {
    for (let index = 0; index < count; index++) {
      frame();
      stream.router.tick(now);
      stream.router.tick(now + FRAME_MS / 2);
    }
  }

  it('sees the last keyframe at once, and then everything without a gap', () => {
    frame(true);
    play(50);
    const viewer = stream.view({}, { now });
    assert.deepEqual(viewer.on('video').map(frameOf), [1]);
    play(30);
    assert.deepEqual(
      viewer.on('video').map(frameOf),
      Array.from({ length: frames }, (_, index) => index + 1),
    );
    const numbers = viewer.on('video').map(sequenceNumber);
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => (numbers[0]! + index) & 0xffff),
    );
  });

  it('has caught up after half the time that it missed', () => {
    frame(true);
    play(50);
    const missed = 50 * FRAME_MS;
    const viewer = stream.view({}, { now });
    play(missed / 2 / FRAME_MS + 2);
    assert.equal(frameOf(viewer.on('video').at(-1)!), frames);
    assert.equal(source.needsTickSoon, false);
  });

  it('has timestamps that begin with the present, never go back, and end in real time', () => {
    frame(true);
    play(50);
    const live = 50 * FRAME_MS * 90;
    const viewer = stream.view({}, { now });
    play(60);
    const times = viewer.on('video').map(timestamp);
    assert.equal(times[0], live);
    assert.ok(times.every((time, index) => index === 0 || time > times[index - 1]!));
    assert.deepEqual(
      times.slice(-5).map((time, index, all) => (index === 0 ? 3_600 : time - all[index - 1]!)),
      [3_600, 3_600, 3_600, 3_600, 3_600],
    );
    assert.equal(times.at(-1), (frames - 1) * FRAME_MS * 90);
  });

  it('gets a lost packet again with the timestamp that it had', () => {
    frame(true);
    play(50);
    const viewer = stream.view({}, { now });
    play(5);
    const packets = viewer.on('video');
    const lost = packets[3]!;
    const before = viewer.sink.rtp.length;
    viewer.sendRtcp(nack(1, viewer.ssrcOf('video'), [sequenceNumber(lost)]), now);
    const [again] = viewer.sink.rtp.slice(before);
    assert.deepEqual(again, lost);
  });

  it('goes on with a keyframe that comes meanwhile', () => {
    frame(true);
    play(50);
    const viewer = stream.view({}, { now });
    play(2);
    frame(true);
    play(3);
    const shown = viewer.on('video').map(frameOf);
    assert.deepEqual(shown.slice(-4), [frames - 3, frames - 2, frames - 1, frames]);
    const numbers = viewer.on('video').map(sequenceNumber);
    assert.ok(numbers.every((number, index) => index === 0 || number === ((numbers[index - 1]! + 1) & 0xffff)));
  });

  it('sees everything where packets come in another order, as between servers', () => {
    frame(true);
    play(20);
    inPairs = true;
    play(30);
    const viewer = stream.view({}, { now });
    play(31);
    frame();
    assert.deepEqual(
      viewer
        .on('video')
        .map(frameOf)
        .toSorted((a, b) => a - b),
      Array.from({ length: frames }, (_, index) => index + 1),
    );
  });

  it('waits for the next keyframe if packets are missing before it has caught up', () => {
    frame(true);
    play(50);
    const viewer = stream.view({}, { now });
    skipped += 2_000;
    play(3);
    const shown = viewer.on('video').length;
    play(30);
    assert.equal(viewer.on('video').length, shown);
    frame(true);
    play(2);
    assert.deepEqual(viewer.on('video').slice(shown).map(frameOf), [frames - 2, frames - 1, frames]);
    assert.equal(source.needsTickSoon, false);
  });

  it('can leave while it catches up', () => {
    frame(true);
    play(50);
    const viewer = stream.view({}, { now });
    viewer.leave();
    const count = viewer.sink.rtp.length;
    play(5);
    assert.equal(viewer.sink.rtp.length, count);
    assert.equal(source.needsTickSoon, false);
  });

  it('waits for a keyframe if none came yet', () => {
    frame();
    const viewer = stream.view({}, { now });
    play(3);
    assert.equal(viewer.on('video').length, 0);
    frame(true);
    assert.equal(viewer.on('video').length, 1);
  });

  it('has a picture of the source at once', () => {
    frame(true);
    play(50);
    const found: (Keyframe | undefined)[] = [];
    stream.router.collectKeyframe(null, (keyframe) => found.push(keyframe), now);
    assert.deepEqual([found.length, found[0]?.width], [1, 320]);
    play(2);
    assert.equal(found.length, 1);
  });

  it('waits for a keyframe of a source that can be asked, as of every publisher', () => {
    open(true);
    [now, frames] = [0, 0];
    frame(true);
    play(50);
    const viewer = stream.view({}, { now });
    play(3);
    assert.equal(viewer.on('video').length, 0);
  });
});

/** An encoder over WHIP with a keyframe every two seconds, whatever it is asked for. */
function encoder(lossFeedback: readonly LossFeedback[]) {
  const stream = new RouterFixture();
  const publisher = stream.publish(sdpOffer({ direction: 'sendonly', kinds: ['video'], lossFeedback }));
  let [frames, silentMs] = [0, 0];
  const time = () => frames * FRAME_MS + silentMs;
  const send = (keyframe: boolean) => {
    publisher.video(++frames, { keyframe, timestamp: time() * 90 }, time());
    stream.run(time(), time() + FRAME_MS / 2);
  };
  const play = (count: number) => {
    for (let index = 0; index < count; index++) send(frames % 50 === 0);
  };
  /** Somebody watches for so many frames. */
  const visit = (count: number) => {
    const viewer = stream.view({}, { now: time() });
    play(count);
    viewer.leave();
  };
  const silence = (ms: number) => {
    stream.run(time(), time() + ms);
    silentMs += ms;
  };
  return { stream, publisher, time, play, visit, silence, keyframe: () => send(true) };
}

describe('a viewer of an encoder over WHIP', () => {
  /** Joins a second after a keyframe, and watches until the next one. @returns how many packets come at once, and in all */
  function join(lossFeedback: readonly LossFeedback[]): readonly [first: number, all: number] {
    const { stream, play, time } = encoder(lossFeedback);
    play(25);
    const viewer = stream.view({}, { now: time() });
    const first = viewer.on('video').length;
    play(25);
    return [first, viewer.on('video').length];
  }

  it('sees the last keyframe at once if the encoder takes no keyframe requests', () => {
    assert.deepEqual(join(['nack']), [1, 50]);
  });

  it('waits for a keyframe that is requested otherwise', () => {
    for (const request of ['nack pli', 'ccm fir'] as const) assert.equal(join(['nack', request])[0], 0);
  });
});

describe('a viewer of an encoder that agrees to keyframe requests and ignores them', () => {
  const requests = ['nack', 'nack pli'] as const;
  /** Somebody has waited in vain, and the next keyframe has come a second ago. */
  const known = () => {
    const known = encoder(requests);
    known.play(20);
    known.visit(30);
    known.play(25);
    return known;
  };

  it('sees the last keyframe at once when another has waited in vain', () => {
    const { stream, time, play } = known();
    const viewer = stream.view({}, { now: time() });
    assert.equal(viewer.on('video').length, 1);
    play(20);
    const numbers = viewer.on('video').map(sequenceNumber);
    assert.equal(numbers.length, 25 + 20);
    assert.ok(numbers.every((number, index) => number === ((numbers[0]! + index) & 0xffff)));
  });

  it('waits if the other was served within a second', () => {
    const { stream, time, play, visit } = encoder(requests);
    play(30);
    visit(25);
    play(25);
    assert.equal(stream.view({}, { now: time() }).on('video').length, 0);
  });

  it('waits if nothing arrived while the other waited', () => {
    const { stream, time, play, silence, keyframe } = encoder(requests);
    play(20);
    const other = stream.view({}, { now: time() });
    silence(5_000);
    other.leave();
    keyframe();
    play(25);
    assert.equal(stream.view({}, { now: time() }).on('video').length, 0);
  });

  it('goes on with the keyframe of an encoder that answers after all', () => {
    const { stream, publisher, time, play, keyframe } = known();
    const asked = publisher.sink.keyframeRequests.length;
    const viewer = stream.view({}, { now: time() });
    assert.equal(publisher.sink.keyframeRequests.length, asked + 1);
    keyframe();
    play(10);
    // The kept keyframe, the new one, and what follows.
    assert.equal(viewer.on('video').length, 1 + 1 + 10);
  });

  it('catches up in steps of 20 ms', () => {
    const { stream, publisher, time } = known();
    assert.equal(publisher.transport.needsTickSoon, false);
    stream.view({}, { now: time() });
    assert.equal(publisher.transport.needsTickSoon, true);
  });
});
