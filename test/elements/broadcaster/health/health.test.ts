import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { healthBetween, readSentSample, type SentSample } from '../../../../src/elements/broadcaster/health/health.js';

type Stats = Record<string, unknown> & { readonly id: string };

const video: Stats = {
  id: 'video',
  type: 'outbound-rtp',
  kind: 'video',
  timestamp: 5_000,
  bytesSent: 100_000,
  frameWidth: 1280,
  frameHeight: 720,
  framesPerSecond: 30,
  qualityLimitationReason: 'none',
  codecId: 'codec',
};
const rest: readonly Stats[] = [
  { id: 'audio', type: 'outbound-rtp', kind: 'audio', timestamp: 5_000, bytesSent: 5_000 },
  { id: 'camera', type: 'media-source', kind: 'video', height: 720 },
  { id: 'codec', type: 'codec', mimeType: 'video/VP8' },
  { id: 'remote', type: 'remote-inbound-rtp', kind: 'video', fractionLost: 0.01, roundTripTime: 0.04 },
];

const report = (...all: readonly Stats[]): ReadonlyMap<string, unknown> =>
  new Map(all.map((stats) => [stats.id, stats]));
const sampleOf = (...all: readonly Stats[]): SentSample | undefined => readSentSample(report(...all) as RTCStatsReport);
const verdict = (...all: readonly Stats[]) => {
  const sample = sampleOf(...all)!;
  return healthBetween(sample, sample).verdict;
};

describe('the health of a broadcast', () => {
  it('is read from the statistics of sender and receiver', () => {
    assert.deepEqual(sampleOf(video, ...rest), {
      at: 5_000,
      bytes: 105_000,
      width: 1280,
      height: 720,
      framesPerSecond: 30,
      fullHeight: 720,
      limits: ['none'],
      loss: 0.01,
      roundTrip: 0.04,
      codec: 'VP8',
    });
  });

  it('is unknown until something is sent', () => {
    assert.equal(sampleOf(), undefined);
    assert.equal(sampleOf({ id: 'remote', type: 'remote-inbound-rtp' }), undefined);
  });

  it('has the bitrate of video and audio between two samples', () => {
    const before = sampleOf(video, ...rest)!;
    const after = { ...before, at: 7_000, bytes: before.bytes + 500_000 };
    assert.equal(healthBetween(before, after).bitrate, 2_000_000);
  });

  it('has no bitrate between samples of two connections', () => {
    const before = sampleOf(video, ...rest)!;
    assert.equal(healthBetween(before, { ...before, at: 7_000, bytes: 10 }).bitrate, undefined);
  });

  it('is good when the full picture is sent', () => {
    assert.equal(verdict(video, ...rest), 'good');
  });

  it('is slow when the network limits the size of the picture', () => {
    assert.equal(verdict({ ...video, qualityLimitationReason: 'bandwidth', frameHeight: 360 }, ...rest), 'slow');
  });

  it('is good when the network limits the bitrate but not the size', () => {
    assert.equal(verdict({ ...video, qualityLimitationReason: 'bandwidth' }, ...rest), 'good');
  });

  it('is that of the largest simulcast layer', () => {
    const small = { ...video, id: 'small', rid: 'q', frameHeight: 180, qualityLimitationReason: 'none' };
    assert.equal(verdict(small, { ...video, qualityLimitationReason: 'bandwidth' }, ...rest), 'good');
    assert.equal(sampleOf(small, video, ...rest)?.height, 720);
  });

  it('is lossy when more than one packet in twenty does not arrive', () => {
    const remote = { id: 'remote', type: 'remote-inbound-rtp', kind: 'video', fractionLost: 0.08 };
    assert.equal(verdict(video, ...rest.slice(0, 3), remote), 'lossy');
  });

  it('is busy when the processor limits the encoder, whatever else is wrong', () => {
    const remote = { id: 'remote', type: 'remote-inbound-rtp', kind: 'video', fractionLost: 0.5 };
    assert.equal(verdict({ ...video, qualityLimitationReason: 'cpu' }, ...rest.slice(0, 3), remote), 'busy');
  });

  it('is read from any statistics without an error', () => {
    const stats = fc.record(
      {
        id: fc.string(),
        type: fc.constantFrom('outbound-rtp', 'media-source', 'remote-inbound-rtp', 'codec', 'else'),
        kind: fc.constantFrom('video', 'audio', undefined),
        timestamp: fc.anything(),
        bytesSent: fc.anything(),
        frameHeight: fc.anything(),
        fractionLost: fc.anything(),
        qualityLimitationReason: fc.constantFrom('none', 'cpu', 'bandwidth', 'other', undefined),
        codecId: fc.string(),
        mimeType: fc.anything(),
      },
      { requiredKeys: ['id', 'type'] },
    );
    fc.assert(
      fc.property(fc.array(stats), (all) => {
        const sample = sampleOf(...all);
        assert.ok(!sample || ['busy', 'lossy', 'slow', 'good'].includes(healthBetween(sample, sample).verdict));
      }),
    );
  });
});
