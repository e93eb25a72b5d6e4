import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  inboundStatsBetween,
  readInboundSample,
  type InboundSample,
  type ReportedSample,
} from '../../../src/client/viewer/inbound-stats.js';

const reported: ReportedSample = {
  height: 720,
  framesPerSecond: 30,
  roundTrip: 0.04,
  packets: 1000,
  lost: 10,
  freezes: 2,
  frozen: 0.75,
};

const sample = (changes: Partial<InboundSample> = {}): InboundSample => ({
  at: 10_000,
  width: 1280,
  codec: 'VP8',
  bytes: 1_000_000,
  frames: 300,
  delay: 30,
  reported,
  ...changes,
});

const report = (...stats: readonly Record<string, unknown>[]) => new Map(stats.map((one) => [String(one['id']), one]));

const video = {
  id: 'v',
  type: 'inbound-rtp',
  kind: 'video',
  timestamp: 10_000,
  codecId: 'c',
  frameWidth: 1280,
  frameHeight: 720,
  framesPerSecond: 30,
  framesDecoded: 300,
  totalProcessingDelay: 30,
  bytesReceived: 900_000,
  packetsReceived: 900,
  packetsLost: 10,
  freezeCount: 2,
  totalFreezesDuration: 0.75,
};
const audio = { id: 'a', type: 'inbound-rtp', kind: 'audio', bytesReceived: 100_000, packetsReceived: 100 };
const codec = { id: 'c', type: 'codec', mimeType: 'video/VP8' };
const pair = { id: 'p', type: 'candidate-pair', state: 'succeeded', nominated: true, currentRoundTripTime: 0.04 };
const idle = { ...pair, id: 'q', nominated: false, currentRoundTripTime: 9 };

describe('inbound stats', () => {
  it('are read from the statistics of video, audio and ICE candidate pair', () => {
    assert.deepEqual(readInboundSample(report(idle, video, audio, codec, pair) as never), sample());
  });

  it('are undefined before media arrives', () => {
    assert.equal(readInboundSample(report(pair, codec) as never), undefined);
  });

  it('are read from audio where there is no video, with its latency and without a picture', () => {
    const opus = { id: 'o', type: 'codec', mimeType: 'audio/opus' };
    const at = (seconds: number) =>
      readInboundSample(
        report(
          {
            ...audio,
            timestamp: seconds * 1000,
            codecId: 'o',
            totalProcessingDelay: seconds * 48_000 * 0.06,
            jitterBufferEmittedCount: seconds * 48_000,
          },
          opus,
          pair,
        ) as never,
      )!;
    const { codec: name, reported: rest } = at(1);
    assert.deepEqual([name, rest.packets, rest.height, rest.freezes], ['opus', 100, undefined, undefined]);
    assert.equal(inboundStatsBetween(at(1), at(2)).latency, undefined);
  });

  it('leave out fields that the browser does not report', () => {
    const stats = readInboundSample(report({ id: 'v', type: 'inbound-rtp', kind: 'video' }) as never)!;
    const { width, codec: name, reported: rest } = stats;
    assert.deepEqual([width, name, rest.roundTrip, rest.freezes], [undefined, undefined, undefined, undefined]);
  });

  it('are computed from the difference of two samples', () => {
    const later = { at: 12_000, bytes: 1_500_000, frames: 360, delay: 36 };
    const after = sample({ ...later, reported: { ...reported, packets: 1090, lost: 20 } });
    const { bitrate, loss, latency } = inboundStatsBetween(sample(), after);
    assert.equal(bitrate, 2_000_000);
    assert.equal(loss, 0.1);
    assert.ok(Math.abs(latency! - 0.12) < 1e-9, 'the processing delay of a frame, and half of the round trip');
  });

  it('are undefined while nothing arrives', () => {
    const { bitrate, loss, latency } = inboundStatsBetween(sample(), sample());
    assert.deepEqual([bitrate, loss, latency], [undefined, undefined, undefined]);
  });

  it('are never negative or infinite, also between samples of two connections', () => {
    const count = fc.nat({ max: 1e9 });
    const packets = fc.record({ packets: count, lost: count }).map((counts) => Object.assign({ ...reported }, counts));
    const any = fc.record({ at: count, bytes: count, frames: count, delay: count, reported: packets });
    fc.assert(
      fc.property(any, any, (before, after) => {
        const { bitrate, loss, latency } = inboundStatsBetween(sample(before), sample(after));
        for (const value of [bitrate, loss, latency])
          assert.ok(value === undefined || (value >= 0 && Number.isFinite(value)));
        assert.ok(loss === undefined || loss <= 1);
      }),
    );
  });
});
