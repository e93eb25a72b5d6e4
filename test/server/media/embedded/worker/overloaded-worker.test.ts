import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isRtcp, payloadType } from '../../../../../server/media/embedded/rtp/packet.js';
import {
  degreeOf,
  LOAD_SHARES,
  NO_OVERLOAD,
  nextOverload,
} from '../../../../../server/media/embedded/worker/overload.js';
import { PAYLOAD_TYPES, sdpOffer } from '../../../../support/media/offer.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';
import { rtpPacket } from '../../../../support/media/rtp.js';

const VIEWERS = 10;
const FRAME_MS = 1_000 / 30;
const SOUND_MS = 20;
const TICK_MS = 50;
const BUSY_OVER_MS = 300;
/** How long the publisher takes to answer a keyframe request. */
const ANSWER_MS = 100;
const SSRCS = [500, 510, 520];
/** The packets of a frame in each encoding, compared with those of the best. */
const PARTS = [0.1, 1 / 3, 1];

interface QueuedPacket {
  readonly at: number;
  readonly packet: Buffer;
}

/** What viewers got in some seconds. */
interface Sent {
  /** In ms, from the arrival at the machine to the sending to a viewer. */
  readonly delays: number[];
  soundPackets: number;
  /** Packets of each encoding. */
  readonly video: number[];
}

/**
 * A worker of which each send takes a known time, and its queue, in simulated time. In each turn of its event loop it
 * handles what has arrived before the turn.
 * @param encodings whether the publisher sends three, or the best alone
 */
function simulatedWorker({ encodings = SSRCS.length, packetsPerFrame = 20 } = {}) {
  const stream = new RouterFixture();
  const ssrcs = SSRCS.slice(-encodings);
  const publisher = stream.publish(sdpOffer({ direction: 'sendonly', simulcastSsrcs: ssrcs, ssrcs: { audio: 1 } }));
  const nothing = (): Sent => ({ delays: [], soundPackets: 0, video: SSRCS.map(() => 0) });
  /** A second of the best encoding and sound keeps the worker busy for a second. */
  const sendMs = 1_000 / (VIEWERS * (30 * packetsPerFrame + 50));
  let load = 0;
  let now = 0;
  let sent = nothing();
  let arrivedAt = 0;
  const queue: QueuedPacket[] = [];
  const sequences = SSRCS.map(() => 0);
  let [frames, sounds, requestsRead] = [0, 0, 0];
  const keyframesAt = new Map<number, number>(ssrcs.map((ssrc) => [ssrc, 0]));
  let overload = NO_OVERLOAD;
  let [tickedAt, idleMs, busySince, idleBefore, busy] = [0, 0, 0, 0, 0];
  let [turnBegan, turnBefore] = [0, 0];

  for (let count = 0; count < VIEWERS; count++) {
    const { sink } = stream.view();
    sink.send = (packet) => {
      now += sendMs;
      if (isRtcp(packet)) return true;
      sent.delays.push(now - arrivedAt);
      if (payloadType(packet) === PAYLOAD_TYPES.opus) sent.soundPackets++;
      else sent.video[packet.at(-1)!]!++;
      return true;
    };
  }

  /** Queues what arrives until now. */
  function receive(): void {
    for (; sounds * SOUND_MS <= now; sounds++) {
      const parts = { payloadType: PAYLOAD_TYPES.opus, ssrc: 1, sequence: sounds, timestamp: sounds * 960 };
      queue.push({ at: sounds * SOUND_MS, packet: rtpPacket(parts) });
    }
    for (; frames * FRAME_MS <= now; frames++) receiveFrame(frames * FRAME_MS);
    queue.sort((a, b) => a.at - b.at);
  }

  function receiveFrame(at: number): void {
    const asked = publisher.sink.keyframeRequests;
    for (const ssrc of asked.slice(requestsRead)) keyframesAt.set(ssrc, now + ANSWER_MS);
    requestsRead = asked.length;
    for (const ssrc of ssrcs) {
      const encoding = SSRCS.indexOf(ssrc);
      const isKeyframe = (keyframesAt.get(ssrc) ?? Infinity) <= at;
      if (isKeyframe) keyframesAt.delete(ssrc);
      const packets = Math.max(1, Math.round(load * packetsPerFrame * PARTS[encoding]!));
      for (let index = 0; index < packets; index++) {
        const payload = Buffer.alloc(1_000, encoding);
        payload[0] = index === 0 ? 0x10 : 0x00;
        payload[1] = index === 0 && isKeyframe ? 0 : 1;
        const parts = { ssrc, sequence: sequences[encoding]!++, timestamp: Math.round(at * 90), payload };
        queue.push({ at, packet: rtpPacket({ ...parts, marker: index === packets - 1 }) });
      }
    }
  }

  /** As `Sfu` does: at most every 50 ms. */
  function tick(notBefore: number): void {
    if (now - tickedAt < TICK_MS) return;
    tickedAt = now;
    if (now - busySince >= BUSY_OVER_MS) {
      busy = 1 - (idleMs - idleBefore) / (now - busySince);
      [busySince, idleBefore] = [now, idleMs];
    }
    overload = nextOverload(overload, { delay: now - notBefore, busy, now });
    stream.router.setLoadShare(LOAD_SHARES[degreeOf(overload)]!, now);
    stream.router.tick(now);
  }

  function turn(): void {
    receive();
    const isIdle = queue.length === 0;
    if (isIdle) {
      const next = Math.min(frames * FRAME_MS, sounds * SOUND_MS);
      idleMs += next - now;
      now = next;
      receive();
    }
    [turnBefore, turnBegan] = [turnBegan, now];
    const notBefore = isIdle ? turnBegan : turnBefore;
    for (const { at, packet } of queue.splice(0)) {
      arrivedAt = at;
      tick(notBefore);
      publisher.setWait(now - notBefore);
      publisher.send(packet, now);
      now += 0.01;
    }
  }

  return {
    get degree() {
      return degreeOf(overload);
    },
    /** Runs for some seconds. @param loaded how much is offered; 1 is what the worker carries */
    pass(seconds: number, loaded: number): Sent {
      load = loaded;
      sent = nothing();
      for (const until = now + seconds * 1_000; now < until;) turn();
      return sent;
    },
  };
}

const percentile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(part * (values.length - 1))]!;
const soundOf = (seconds: number) => (VIEWERS * seconds * 1_000) / SOUND_MS;

describe('a worker', () => {
  it('sends everything at half of its load', () => {
    const worker = simulatedWorker();
    worker.pass(5, 0.5);
    const { delays, video } = worker.pass(10, 0.5);
    assert.ok(percentile(delays, 0.99) < 40);
    assert.deepEqual([worker.degree, video[0], video[1]], [0, 0, 0]);
  });

  for (const times of [1.5, 2, 3]) {
    it(`sends lower layers within 300 ms, and all of the sound, at ${times} times its load`, () => {
      const worker = simulatedWorker();
      worker.pass(5, 0.5);
      const { delays, video, soundPackets } = worker.pass(10, times);
      assert.ok(percentile(delays, 0.99) < 300, `${percentile(delays, 0.99)} ms`);
      assert.ok(soundPackets >= 0.99 * soundOf(10), `${soundPackets} of ${soundOf(10)}`);
      assert.ok(video[0]! + video[1]! > 0);
      assert.ok(worker.degree > 0);
    });
  }

  it('sends everything again within 5 s of an overload', () => {
    const worker = simulatedWorker();
    worker.pass(5, 0.5);
    worker.pass(10, 2);
    worker.pass(5, 0.5);
    assert.equal(worker.degree, 0);
    const { video, delays } = worker.pass(5, 0.5);
    assert.deepEqual([video[0], video[1]], [0, 0]);
    assert.ok(percentile(delays, 0.99) < 40);
  });

  it('keeps a video without layers for some viewers, within 300 ms, and the sound of all', () => {
    const worker = simulatedWorker({ encodings: 1 });
    worker.pass(5, 0.5);
    worker.pass(5, 2);
    const { delays, video, soundPackets } = worker.pass(10, 2);
    assert.ok(percentile(delays, 0.99) < 300, `${percentile(delays, 0.99)} ms`);
    assert.ok(soundPackets >= 0.99 * soundOf(10), `${soundPackets} of ${soundOf(10)}`);
    assert.ok(video[2]! > 0);
  });
});
