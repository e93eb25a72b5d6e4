import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { addedSourceTracks, FramePacketizer } from '../../../../../server/media/embedded/frames/frame-packetizer.js';
import { findExtension } from '../../../../../server/media/embedded/rtp/header-extensions.js';
import { KEPT_IDS } from '../../../../../server/media/embedded/rtp/kept-extensions.js';
import { isRtp, payloadType, sequenceNumber, timestamp } from '../../../../../server/media/embedded/rtp/packet.js';
import type { SenderReport } from '../../../../../server/media/embedded/rtcp/rtcp.js';
import type { SourceFrame } from '../../../../../server/media/engine/media-track.js';

const AUDIO = 0;
const VIDEO = 1;
/** 2026-01-01T00:00:00Z */
const START = Date.UTC(2026, 0, 1);

describe('the packets of frames', () => {
  let sent: { encoding: number; sequence: number; packet: Buffer }[];
  let clocks: { encoding: number; report: SenderReport }[];
  let isFull: boolean;
  let now: number;
  let packetizer: FramePacketizer;

  beforeEach(() => {
    [sent, clocks, isFull, now] = [[], [], false, START];
    const output = {
      sendPacket(encoding: number, sequence: number, packet: Buffer) {
        if (isFull) return false;
        sent.push({ encoding, sequence, packet });
        return true;
      },
      sendClock: (encoding: number, report: SenderReport) => void clocks.push({ encoding, report }),
    };
    const tracks = addedSourceTracks({ audio: { codec: 'opus' }, video: { codec: 'vp8' } });
    packetizer = new FramePacketizer(tracks, output, () => now);
  });

  const write = (frame: Partial<SourceFrame> = {}) =>
    packetizer.write({ kind: 'video', data: Buffer.alloc(3_000, 7), isKeyframe: true, timestampMs: 0, ...frame });
  const of = (encoding: number) => sent.filter((each) => each.encoding === encoding).map(({ packet }) => packet);

  it('are valid RTP, numbered by track, and the last of a frame is marked', () => {
    write();
    write({ kind: 'audio', data: Buffer.alloc(80) });
    assert.ok(sent.every(({ packet }) => isRtp(packet)));
    assert.deepEqual(of(VIDEO).map(sequenceNumber), [1, 2, 3]);
    assert.deepEqual(
      of(VIDEO).map((packet) => packet[1]! >> 7),
      [0, 0, 1],
    );
    assert.deepEqual(of(AUDIO).map(sequenceNumber), [1]);
    assert.notEqual(payloadType(of(AUDIO)[0]!), payloadType(of(VIDEO)[0]!));
  });

  it('have timestamps in the clock rate of their kind, which wrap', () => {
    write({ timestampMs: 40 });
    write({ kind: 'audio', timestampMs: 40 });
    assert.deepEqual([timestamp(of(VIDEO)[0]!), timestamp(of(AUDIO)[0]!)], [3_600, 1_920]);
    sent = [];
    write({ timestampMs: 100_000_000 });
    assert.equal(timestamp(of(VIDEO)[0]!), (100_000_000 * 90) % 2 ** 32);
  });

  it('can begin before time 0, as sound does that was encoded again', () => {
    write({ kind: 'audio', timestampMs: -6.5 });
    assert.equal(timestamp(of(AUDIO)[0]!), 2 ** 32 - 312);
    assert.equal(clocks[0]?.report.rtpTimestamp, 2 ** 32 - 312);
  });

  it('come with a clock that both kinds share, once a second', () => {
    write({ timestampMs: 5_000 });
    now += 20;
    write({ kind: 'audio', timestampMs: 5_010 });
    const ntp = ({ report }: (typeof clocks)[number]) =>
      Math.round((report.ntpSeconds + report.ntpFraction / 2 ** 32 - 2_208_988_800) * 1_000);
    assert.deepEqual(clocks.map(ntp), [START, START + 10]);
    assert.deepEqual(
      clocks.map(({ encoding, report }) => [encoding, report.rtpTimestamp]),
      [
        [VIDEO, 450_000],
        [AUDIO, 240_480],
      ],
    );
    now += 900;
    write({ timestampMs: 5_900 });
    assert.equal(clocks.length, 2);
    now += 100;
    write({ timestampMs: 6_000 });
    assert.equal(clocks.length, 3);
  });

  it('say once a second when the frame of the video was captured, by the same clock', () => {
    for (let frame = 0; frame <= 50; frame++) {
      now = START + 20 * frame;
      write({ timestampMs: 5_000 + 20 * frame });
      write({ kind: 'audio', timestampMs: 5_000 + 20 * frame });
    }
    const times = sent.flatMap(({ encoding, packet }) => {
      const at = findExtension(packet, KEPT_IDS.captureTime);
      if (at < 0) return [];
      const seconds = packet.readUInt32BE(at) + packet.readUInt32BE(at + 4) / 2 ** 32;
      return [[encoding, timestamp(packet), Math.round((seconds - 2_208_988_800) * 1_000)]];
    });
    assert.deepEqual(times, [
      [VIDEO, 450_000, START],
      [VIDEO, 540_000, START + 1_000],
    ]);
    assert.ok(sent.every(({ packet }) => isRtp(packet)));
  });

  it('of video begin again with a keyframe if one could not be taken, those of audio at once', () => {
    isFull = true;
    write();
    write({ kind: 'audio' });
    isFull = false;
    write({ isKeyframe: false, timestampMs: 40 });
    assert.deepEqual(of(VIDEO), []);
    write({ kind: 'audio', timestampMs: 40 });
    assert.equal(of(AUDIO).length, 1);
    write({ timestampMs: 80 });
    assert.equal(of(VIDEO).length, 3);
  });

  it('are none of a kind that the source does not have', () => {
    const tracks = addedSourceTracks({ video: { codec: 'h264', profile: '6400' } });
    assert.deepEqual(
      tracks.map(({ kind, format }) => [kind, format.profile]),
      [['video', '6400']],
    );
    packetizer = new FramePacketizer(tracks, { sendPacket: () => assert.fail(), sendClock: () => assert.fail() });
    write({ kind: 'audio' });
  });
});
