import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { sequenceNumber, timestamp } from '../../../../../server/media/embedded/rtp/packet.js';
import { nack } from '../../../../../server/media/embedded/rtcp/rtcp.js';
import { sdpOffer } from '../../../../support/media/offer.js';
import { RouterFixture } from '../../../../support/media/router-fixture.js';

const FRAME_MS = 33;
const VIDEO_ONLY = { kinds: ['video'] } as const;

/** VP8 with a picture id of 15 bits and a base layer index. */
const vp8 = (picture: number, keyframe: boolean): Buffer =>
  Buffer.from([0x90, 0xc0, 0x80 | ((picture >> 8) & 0x7f), picture & 0xff, picture & 0xff, keyframe ? 0 : 1, 0, 0]);
const pictureOf = (packet: Buffer): number => packet.readUInt16BE(packet.length - 8 + 2) & 0x7fff;
const baseLayerOf = (packet: Buffer): number => packet.at(-8 + 4)!;
/** Of a packet of RTX: the number in front of its payload. */
const originalNumber = (packet: Buffer): number => packet.readUInt16BE(packet.length - 8 - 2);

/** Where a publisher begins to count anew. Absent: as before. */
interface Restart {
  readonly sequence?: number | undefined;
  readonly timestamp?: number | undefined;
  readonly picture?: number | undefined;
  readonly ssrc?: number | undefined;
}

describe('a publisher who begins to count anew', () => {
  let stream: RouterFixture;
  let publisher: ReturnType<RouterFixture['publish']>;
  let viewer: ReturnType<RouterFixture['view']>;
  let at: Record<keyof Restart, number>;
  let now: number;

  function open(offer = sdpOffer({ ...VIDEO_ONLY, direction: 'sendonly', ssrcs: { video: 2 } })): void {
    stream = new RouterFixture();
    publisher = stream.publish(offer);
    viewer = stream.view(VIDEO_ONLY);
    at = { sequence: 30_000, timestamp: 1_000, picture: 20_000, ssrc: 2 };
    now = 0;
  }

  beforeEach(() => open());

  function pictures(count: number, restart: Restart = {}): void {
    at = { ...at, ...Object.fromEntries(Object.entries(restart).filter(([, value]) => value !== undefined)) };
    for (let index = 0; index < count; index++) {
      const { sequence, ssrc } = at;
      publisher.video(
        sequence,
        { payload: vp8(at.picture, index === 0), timestamp: at.timestamp, ssrc, marker: true },
        now,
      );
      at.sequence = (at.sequence + 1) & 0xffff;
      at.timestamp = (at.timestamp + 3_000) >>> 0;
      at.picture = (at.picture + 1) & 0x7fff;
      now += FRAME_MS;
      stream.router.tick(now);
    }
  }

  /** Each packet is a little after the one before: in sequence number, picture, base layer and time. */
  function assertContinuous(packets: readonly Buffer[]): void {
    packets.slice(1).forEach((packet, index) => {
      const before = packets[index]!;
      const steps = {
        sequence: (sequenceNumber(packet) - sequenceNumber(before)) & 0xffff,
        picture: (pictureOf(packet) - pictureOf(before)) & 0x7fff,
        baseLayer: (baseLayerOf(packet) - baseLayerOf(before)) & 0xff,
      };
      for (const [what, step] of Object.entries(steps))
        assert.ok(step === 1 || step === 2, `${what} ${index}: ${step}`);
      const elapsed = (timestamp(packet) - timestamp(before)) | 0;
      assert.ok(elapsed > 0 && elapsed <= 90 * 200, `time ${index}: ${elapsed}`);
    });
  }

  const cases: Readonly<Record<string, Restart>> = {
    'sequence numbers, back': { sequence: 100 },
    'sequence numbers, far ahead': { sequence: 60_000 },
    'picture ids, back': { picture: 5 },
    everything: { sequence: 7, timestamp: 3_000_000_000, picture: 5 },
    'everything, on another SSRC': { sequence: 7, timestamp: 3_000_000_000, picture: 5, ssrc: 99 },
    'nothing, on another SSRC': { ssrc: 99 },
  };
  for (const [what, restart] of Object.entries(cases)) {
    it(`is shown without a break: ${what}`, () => {
      pictures(40);
      pictures(40, restart);
      assert.equal(viewer.sink.rtp.length, 80);
      assertContinuous(viewer.sink.rtp);
    });
  }

  it('is shown without a break each time, wherever the numbers begin', () => {
    const restarts = fc.array(
      fc.record({
        sequence: fc.option(fc.nat(0xffff), { nil: undefined }),
        timestamp: fc.nat(0xffff_ffff),
        picture: fc.option(fc.nat(0x7fff), { nil: undefined }),
      }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(restarts, (all) => {
        open();
        pictures(40);
        for (const restart of all) {
          // Numbers that are near may be those of late packets, and timestamps those of old ones.
          const distance = Math.abs((((restart.sequence ?? at.sequence) - at.sequence) << 16) >> 16);
          const age = (at.timestamp - restart.timestamp) | 0;
          if (distance < 3_100 || (age >= 0 && age < 6 * 90_000)) continue;
          const before = viewer.sink.rtp.length;
          pictures(40, restart);
          assert.equal(viewer.sink.rtp.length - before, 40);
        }
        assertContinuous(viewer.sink.rtp);
      }),
      { numRuns: 50 },
    );
  });

  it('has the packets from before the jump resent as they were', () => {
    pictures(40);
    pictures(40, { sequence: 7, timestamp: 3_000_000_000 });
    const asked = [viewer.sink.rtp[0]!, viewer.sink.rtp.at(-1)!];
    const sent = viewer.sink.rtp.length;
    viewer.sendRtcp(nack(5, viewer.ssrcOf('video'), asked.map(sequenceNumber)), now);
    assert.deepEqual(viewer.sink.rtp.slice(sent), asked);
  });

  it('has no new packets resent by RTX in place of those from before the jump', () => {
    const byRtx = stream.view({ ...VIDEO_ONLY, retransmissions: true });
    pictures(40);
    pictures(40, { sequence: 7, timestamp: 3_000_000_000 });
    const [first, last] = [byRtx.on('video')[0]!, byRtx.on('video').at(-1)!];
    const sent = byRtx.sink.rtp.length;
    byRtx.sendRtcp(nack(5, byRtx.ssrcOf('video'), [sequenceNumber(first), sequenceNumber(last)]), now);
    const again = byRtx.sink.rtp.slice(sent);
    assert.deepEqual(again.map(originalNumber), [sequenceNumber(last)]);
  });

  it('may not change the SSRC all the time', () => {
    pictures(40);
    const before = viewer.sink.rtp.length;
    for (let ssrc = 100; ssrc < 160; ssrc++) pictures(2, { ssrc });
    // Four seconds: two changes.
    const shown = viewer.sink.rtp.length - before;
    assert.ok(shown > 0 && shown <= 6, `${shown} packets`);
    assert.ok(publisher.sink.rtcp.length < 400);
  });

  it('does not lose the SSRC to packets of another one between its own', () => {
    pictures(40);
    for (let count = 0; count < 40; count++) {
      publisher.video(500 + count, { payload: vp8(1, true), ssrc: 77 }, now);
      pictures(1);
    }
    assert.equal(viewer.sink.rtp.length, 80);
    assertContinuous(viewer.sink.rtp);
  });

  it('does not get back an SSRC that was replaced', () => {
    pictures(40);
    pictures(100, { ssrc: 99 });
    const before = viewer.sink.rtp.length;
    pictures(10, { ssrc: 2 });
    assert.equal(viewer.sink.rtp.length, before);
  });

  it('counts what arrived, on every SSRC', () => {
    pictures(40);
    pictures(40, { ssrc: 99 });
    stream.run(now, now + 2_000);
    const packets = stream.receptions.map(({ state }) => state.packets);
    assert.equal(
      packets.reduce((sum, count) => sum + count, 0),
      80,
    );
    assert.ok(packets.every((count) => count >= 0));
  });
});
