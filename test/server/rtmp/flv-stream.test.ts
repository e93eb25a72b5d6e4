import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readAvcConfig } from '../../../server/rtmp/avc.js';
import { FlvMedia } from '../../../server/rtmp/flv-media.js';
import {
  avcConfigTag,
  avcFrameTag,
  FLV_VIDEO_HEADER,
  FlvReader,
  type AvcFrame,
} from '../../../server/rtmp/flv-stream.js';

const CONFIG = readAvcConfig(Buffer.from('0164002affe100056764002aac01000268ee', 'hex'))!;

const frames: fc.Arbitrary<AvcFrame> = fc.record({
  units: fc.array(
    fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from([0x41, ...bytes])),
    { minLength: 1, maxLength: 4 },
  ),
  isKeyframe: fc.boolean(),
  timestampMs: fc.integer({ min: 0, max: 2 ** 30 }),
  compositionTime: fc.integer({ min: -(2 ** 23), max: 2 ** 23 - 1 }),
});

describe('an FLV stream', () => {
  it('is read as it was written, however its bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(frames, { maxLength: 8 }), fc.integer({ min: 1, max: 50 }), (written, size) => {
        const bytes = Buffer.concat([FLV_VIDEO_HEADER, avcConfigTag(CONFIG, 0), ...written.map(avcFrameTag)]);
        const [reader, media] = [new FlvReader(), new FlvMedia()];
        const read = [];
        for (let at = 0; at < bytes.length; at += size) {
          for (const message of reader.read(bytes.subarray(at, at + size))) {
            read.push({ event: media.read(message), timestamp: message.timestamp });
          }
        }
        const [config, ...events] = read;
        assert.deepEqual(config?.event?.kind === 'config' && config.event.config, CONFIG);
        assert.deepEqual(
          events.map(({ event, timestamp }) =>
            event?.kind === 'frame' ? [timestamp, event.compositionTime, event.data] : event,
          ),
          written.map(({ timestampMs, compositionTime, units }) => [timestampMs, compositionTime, units]),
        );
      }),
    );
  });

  it('is refused if it is something else, or has a tag without an end', () => {
    assert.throws(() => new FlvReader().read(Buffer.alloc(64)), /not an FLV stream/);
    const long = Buffer.concat([FLV_VIDEO_HEADER, Buffer.from('09ffffff0000000000000000', 'hex')]);
    assert.throws(() => new FlvReader().read(long), /too long/);
  });
});
