import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { TappedSource } from '../../../../../server/media/embedded/tap/tapped-source.js';
import type { SourceTrack } from '../../../../../server/media/embedded/producer/source.js';
import type { TappedFrame } from '../../../../../server/media/engine/tap.js';
import { rtpPacket, DELTA_PAYLOADS, KEYFRAME_PAYLOADS } from '../../../../support/media/rtp.js';

const NOW = 1_700_000_000_000;
const format = (codec: 'opus' | 'vp8') => ({ codec, profile: '', payloadType: 96, parameters: '' });
const AUDIO: SourceTrack = { kind: 'audio', format: format('opus'), encodingIds: ['0'] };
const VIDEO: SourceTrack = { kind: 'video', format: format('vp8'), encodingIds: ['0'] };
const SIMULCAST: SourceTrack = { ...VIDEO, encodingIds: ['0', '1', '2'] };

let frames: TappedFrame[];
let requested: number[];
let lost: number;

beforeEach(() => {
  frames = [];
  requested = [];
  lost = 0;
});

function tap(tracks: readonly SourceTrack[], keyframeEveryMs?: number) {
  const source = new TappedSource({
    tracks,
    keyframeEveryMs,
    listener: { onFrame: (frame) => frames.push(frame), onLoss: (count) => (lost += count) },
    requestKeyframe: (encoding) => requested.push(encoding),
  });
  const sequences = new Map<number, number>();
  /** One packet, which is a frame. The encoding's first byte of data tells it from others. */
  function send(encoding: number, timestamp: number, at: number, { keyframe = false, skip = 0 } = {}) {
    const sequence = (sequences.get(encoding) ?? 0) + 1 + skip;
    sequences.set(encoding, sequence);
    const payload = Buffer.from((keyframe ? KEYFRAME_PAYLOADS : DELTA_PAYLOADS).vp8);
    source.onPacket(
      encoding,
      sequence,
      rtpPacket({ payloadType: 96, sequence: sequence & 0xffff, timestamp, ssrc: 1, marker: true, payload }),
      NOW + at,
    );
  }
  /** The publisher's clock shows `at` ms when the timestamp is 0. */
  const report = (encoding: number, at: number) =>
    source.onReport(
      encoding,
      {
        ntpSeconds: 3_900_000_000,
        ntpFraction: Math.round((at / 1_000) * 2 ** 32),
        rtpTimestamp: 0,
        packets: 0,
        bytes: 0,
      },
      NOW,
    );
  const tick = (at: number) => source.tick(NOW + at);
  return { source, send, report, tick };
}

const times = (kind: string) =>
  frames.filter((frame) => frame.kind === kind).map(({ timestampMs }) => timestampMs - NOW);

describe('the frames of a source', () => {
  it('are held until sound and picture are on one clock', () => {
    const { send, report, tick } = tap([AUDIO, VIDEO]);
    // The sound arrives 80 ms late, and was recorded 20 ms before the picture.
    send(1, 0, 0, { keyframe: true });
    send(0, 0, 80);
    send(1, 3_000, 33);
    send(1, 6_000, 66);
    report(1, 20);
    assert.equal(frames.length, 0);
    report(0, 0);
    tick(149);
    assert.equal(frames.length, 0);
    tick(150);
    assert.deepEqual(
      frames.map(({ kind }) => kind),
      ['audio', 'video', 'video'],
    );
    const [sound, picture] = frames;
    assert.ok(Math.abs(picture!.timestampMs - sound!.timestampMs - 20) < 0.01);
  });

  it('are held no longer than a second', () => {
    const { send, tick } = tap([AUDIO, VIDEO]);
    send(1, 0, 0, { keyframe: true });
    send(1, 3_000, 34);
    tick(999);
    assert.equal(frames.length, 0);
    tick(1_000);
    assert.deepEqual(times('video'), [0]);
  });

  it('come at once after that, with times that never go back', () => {
    const { send, report, tick } = tap([AUDIO]);
    send(0, 0, 0);
    tick(1_000);
    send(0, 48_000, 1_000);
    report(0, 0);
    send(0, 48_000 - 960, 1_020);
    assert.deepEqual(times('audio'), [0, 1_000, 1_001]);
  });

  it('that are lost are counted', () => {
    const { source, send } = tap([AUDIO, VIDEO]);
    send(1, 0, 0, { keyframe: true });
    send(1, 6_000, 60, { skip: 1 });
    send(1, 9_000, 90, { keyframe: true });
    source.end(NOW + 100);
    assert.equal(times('video').length, 2);
    assert.equal(lost, 1);
  });
});

describe('of several encodings', () => {
  it('the best that arrives is passed on', () => {
    const { source, send } = tap([SIMULCAST]);
    send(0, 0, 0, { keyframe: true });
    send(0, 3_000, 33);
    send(1, 3_000, 40, { keyframe: true });
    send(0, 6_000, 66);
    send(1, 6_000, 70);
    source.end(NOW + 100);
    assert.deepEqual(
      frames.map(({ isKeyframe }) => isKeyframe),
      [true, false, true, false],
    );
  });

  it('pictures that are held stay in order, also if the better one seems to be recorded before', () => {
    const { source, send } = tap([SIMULCAST]);
    // Of a machine that stood still, the first packet of the smaller one came late, and so its pictures seem later.
    send(0, 0, 500, { keyframe: true });
    send(0, 3_000, 533);
    send(0, 6_000, 536);
    send(0, 9_000, 538);
    send(1, 90_000, 540, { keyframe: true });
    send(1, 93_000, 541);
    send(1, 123_000, 542);
    source.end(NOW + 600);
    assert.deepEqual(
      frames.map(({ isKeyframe }) => isKeyframe),
      [true, false, false, true, false, false],
    );
    assert.ok(times('video').every((time, index, all) => index === 0 || time > all[index - 1]!));
  });

  it('a better one is asked for a keyframe, and a silent one is left', () => {
    const { send, tick } = tap([SIMULCAST]);
    send(1, 0, 0, { keyframe: true });
    send(1, 3_000, 33);
    send(2, 3_000, 40);
    tick(50);
    assert.deepEqual(requested, [2]);
    requested.length = 0;
    send(0, 3_000, 1_500);
    tick(1_600);
    assert.deepEqual(requested, [0]);
    send(0, 6_000, 1_700, { keyframe: true });
    send(0, 9_000, 1_733);
    tick(1_750);
    assert.equal(frames.at(-1)?.isKeyframe, true);
  });
});

describe('a keyframe', () => {
  it('is requested as often as is wanted, and not if the source sends them by itself', () => {
    const { send, tick } = tap([VIDEO], 2_000);
    send(0, 0, 0, { keyframe: true });
    send(0, 3_000, 33);
    for (let at = 100; at < 2_000; at += 100) {
      send(0, 90 * at, at);
      tick(at);
    }
    assert.deepEqual(requested, []);
    send(0, 183_600, 2_040);
    tick(2_040);
    assert.deepEqual(requested, [0]);
    send(0, 189_000, 2_100, { keyframe: true });
    send(0, 192_000, 2_133);
    for (let at = 2_200; at < 4_000; at += 100) {
      send(0, 90 * at, at);
      tick(at);
    }
    assert.deepEqual(requested, [0]);
  });

  it('is requested after a loss', () => {
    const { send, tick } = tap([VIDEO]);
    send(0, 0, 0, { keyframe: true });
    send(0, 6_000, 66, { skip: 1 });
    tick(100);
    assert.deepEqual(requested, []);
    tick(700);
    assert.deepEqual(requested, [0]);
  });
});

describe('a source that restarts', () => {
  it('goes on in time, whatever its sequence numbers and timestamps are then', () => {
    const { source, send, tick } = tap([VIDEO]);
    for (let picture = 0; picture < 60; picture++) send(0, picture * 3_000, picture * 33, { keyframe: !picture });
    const at = 60 * 33;
    for (let picture = 0; picture < 60; picture++) {
      const isFirst = picture === 0;
      send(0, 2_000_000_000 + picture * 3_000, at + picture * 33, { keyframe: isFirst, skip: isFirst ? 40_000 : 0 });
    }
    tick(at + 60 * 33);
    source.end(NOW + at + 60 * 33);
    const shown = times('video');
    assert.equal(shown.length, 120);
    shown.forEach((time, index) => assert.ok(Math.abs(time - index * 33.3) < 60, `${index}: ${time}`));
  });
});
