import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { captureLatency, type TimedSource } from '../../../src/client/viewer/capture-latency.js';

/** NTP counts from 1900 on. */
const SECONDS_TO_1970 = 2_208_988_800;
const CAPTURED = Date.UTC(2026, 10, 25, 21, 30);

const source = (changes: Partial<TimedSource> = {}): TimedSource => ({
  timestamp: CAPTURED + 180,
  captureTimestamp: CAPTURED + 1000 * SECONDS_TO_1970,
  senderCaptureTimeOffset: 0,
  ...changes,
});

const receiver = (kind: string, sources: readonly TimedSource[]) => ({
  track: { kind },
  getSynchronizationSources: () => [...sources],
});
const video = (changes?: Partial<TimedSource>) => [receiver('video', [source(changes)])];

describe('the capture latency', () => {
  it('is the time from the capture of the newest frame until it is shown, in seconds', () => {
    assert.equal(captureLatency(video()), 0.18);
  });

  it('adds the offset between the clocks of capture and sender to the time of capture', () => {
    assert.equal(captureLatency(video({ senderCaptureTimeOffset: 80 })), 0.1);
    assert.equal(captureLatency(video({ senderCaptureTimeOffset: -20 })), 0.2);
    assert.equal(captureLatency(video({ senderCaptureTimeOffset: undefined })), 0.18);
  });

  it('is not known without the time of capture, as in browsers that do not read it', () => {
    assert.equal(captureLatency(video({ captureTimestamp: undefined })), undefined);
  });

  it('is not known where the clocks differ so much that the frame would be shown before it was captured', () => {
    assert.equal(captureLatency(video({ timestamp: CAPTURED - 1 })), undefined);
  });

  it('is not known before a picture arrives, nor of sound', () => {
    assert.equal(captureLatency([]), undefined);
    assert.equal(captureLatency([receiver('video', [])]), undefined);
    assert.equal(captureLatency([receiver('audio', [source()])]), undefined);
  });

  it('is that of the video beside any sound', () => {
    const sound = receiver('audio', [source({ timestamp: CAPTURED + 999 })]);
    assert.equal(captureLatency([sound, ...video()]), 0.18);
  });

  it('is never negative', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -10_000, max: 10_000 }),
        fc.integer({ min: -5_000, max: 5_000 }),
        (late, offset) => {
          const latency = captureLatency(video({ timestamp: CAPTURED + late, senderCaptureTimeOffset: offset }));
          assert.equal(latency, late < offset ? undefined : (late - offset) / 1000);
        },
      ),
    );
  });
});
