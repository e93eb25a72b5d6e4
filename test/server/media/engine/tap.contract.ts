import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { MediaEngine } from '../../../../server/media/engine/media-engine.js';
import type { AddedSource } from '../../../../server/media/engine/media-session.js';
import type { SourceId, VideoCodec } from '../../../../server/media/engine/media-track.js';
import type { OpenTap, Tap, TappedFrame, TapTracks } from '../../../../server/media/engine/tap.js';
import { until } from '../../../support/media/until.js';

/** Frames that packets can carry and bring back unchanged. Of several packets. */
const PICTURES: Readonly<Record<VideoCodec, { readonly key: Buffer; readonly delta: Buffer }>> = {
  vp8: {
    key: Buffer.concat([Buffer.from([0x10, 0, 0, 0x9d, 0x01, 0x2a, 0x40, 0x01, 0xb4, 0]), Buffer.alloc(3_000, 1)]),
    delta: Buffer.concat([Buffer.from([0x01]), Buffer.alloc(1_500, 2)]),
  },
  h264: {
    key: Buffer.concat([
      Buffer.from('00000001674200200daa0a0c9b016e', 'hex'),
      Buffer.from('0000000168ce3c80', 'hex'),
      Buffer.from([0, 0, 0, 1, 0x65]),
      Buffer.alloc(3_000, 3),
    ]),
    delta: Buffer.concat([Buffer.from([0, 0, 0, 1, 0x41]), Buffer.alloc(1_500, 4)]),
  },
  vp9: {
    key: Buffer.concat([Buffer.from('824983420013f00b30', 'hex'), Buffer.alloc(3_000, 5)]),
    delta: Buffer.concat([Buffer.from([0x86]), Buffer.alloc(1_500, 6)]),
  },
  av1: {
    // A sequence header OBU, and a frame OBU with its size.
    key: Buffer.concat([
      Buffer.from('0a0a00000002a7fffffff210', 'hex'),
      Buffer.from([0x32, 0xb8, 0x17]),
      Buffer.alloc(3_000, 7),
    ]),
    delta: Buffer.concat([Buffer.from([0x32, 0xdc, 0x0b]), Buffer.alloc(1_500, 8)]),
  },
};
const SOUND = Buffer.from([0xf8, 0xff, 0xfe]);

/** A publisher of the engine. */
export interface TapPublisher {
  /** Sends a packet of each kind. */
  sendFrame(isKeyframe: boolean): void;
  /** How often it was asked for a keyframe. */
  readonly keyframeRequests: number;
  close(): void;
}

/** An engine, with its taps and publishers. */
export interface TapHarness {
  readonly engine: MediaEngine;
  readonly openTap: OpenTap;
  /** Publishes sound, and video in VP8 of 320 × 180. */
  publish(stream: string, sourceId: SourceId): Promise<TapPublisher>;
}

/** What a tap delivers, of every engine. */
export function tapContract(name: string, open: () => Promise<TapHarness>): void {
  describe(`a tap of ${name}`, () => {
    let harness: TapHarness;
    let engine: MediaEngine;
    let tests = 0;

    before(async () => {
      harness = await open();
      engine = harness.engine;
    });
    after(() => engine.close());

    /** A stream of the test, and what its taps have delivered. */
    function tapping(t: TestContext) {
      const stream = `s${(tests += 1)}`;
      const frames: TappedFrame[] = [];
      const tracks: TapTracks[] = [];
      const said: string[] = [];
      const tap = (sourceId: string | null = null): Tap => {
        const address = engine.tapAddress(stream);
        assert.ok(address, 'the stream has an address');
        const opened = harness.openTap(
          address,
          { stream, sourceId, keyframeEveryMs: 500 },
          {
            onSource: (source) => tracks.push(source),
            onFrame: (frame) => frames.push(frame),
            onLoss: () => said.push('loss'),
            onSourceEnded: () => said.push('ended'),
            onClosed: () => said.push('closed'),
          },
        );
        t.after(() => opened.close());
        return opened;
      };
      return { stream, frames, tracks, said, tap };
    }

    /** Writes a picture and a sound every 20 ms, a keyframe each fifth time. */
    function play(source: AddedSource, codec: VideoCodec): { stop: () => void } {
      let count = 0;
      const timer = setInterval(() => {
        const isKeyframe = count % 5 === 0;
        const timestampMs = 20 * count++;
        source.write({ kind: 'audio', data: SOUND, isKeyframe: true, timestampMs });
        const data = isKeyframe ? PICTURES[codec].key : PICTURES[codec].delta;
        source.write({ kind: 'video', data, isKeyframe, timestampMs });
      }, 20);
      return { stop: () => clearInterval(timer) };
    }

    it('has no address without a publisher', () => {
      assert.equal(engine.tapAddress('nobody'), undefined);
    });

    // They wait for media as it plays, each of its own stream.
    describe('of a stream', { concurrency: true }, () => {
      for (const codec of ['vp8', 'h264', 'vp9', 'av1'] as const) {
        it(`delivers the frames of ${codec} as they were sent, in order, from a keyframe on`, async (t) => {
          const { stream, frames, tracks, said, tap } = tapping(t);
          const source = await engine.addSource(stream, { audio: { codec: 'opus' }, video: { codec } });
          const player = play(source, codec);
          tap();
          await until('enough frames came', () => frames.length > 40).finally(player.stop);
          assert.deepEqual(tracks, [{ audio: { codec: 'opus' }, video: { codec } }]);
          const pictures = frames.filter(({ kind }) => kind === 'video');
          assert.ok(pictures[0]!.isKeyframe);
          for (const { isKeyframe, data } of pictures) {
            assert.deepEqual(data, isKeyframe ? PICTURES[codec].key : PICTURES[codec].delta);
          }
          for (const { data } of frames.filter(({ kind }) => kind === 'audio')) assert.deepEqual(data, SOUND);
          for (const kind of ['audio', 'video']) {
            const times = frames.filter((frame) => frame.kind === kind).map(({ timestampMs }) => timestampMs);
            const steps = times.slice(1).map((time, index) => Math.round(time - times[index]!));
            // The first report may correct the clock once, which packets that waited had set.
            const corrections = steps.filter((step) => step !== 20);
            assert.ok(
              corrections.length <= 1 && corrections.every((step) => Math.abs(step - 20) < 20),
              `${kind}: ${steps}`,
            );
          }
          // By the last ones: the first ones may have come before the first report of their kind.
          const [sound, picture] = (['audio', 'video'] as const).map(
            (kind) => frames.findLast((frame) => frame.kind === kind)!.timestampMs % 20,
          );
          const apart = Math.abs(sound! - picture!);
          assert.ok(Math.min(apart, 20 - apart) < 1, `sound and picture are on one clock: ${sound} and ${picture}`);
          assert.deepEqual(said, []);
        });
      }

      it('says that the source ended, and goes on when it comes back', async (t) => {
        const { stream, frames, tracks, said, tap } = tapping(t);
        for (const round of [1, 2]) {
          const source = await engine.addSource(stream, { video: { codec: 'vp8' } });
          const player = play(source, 'vp8');
          if (round === 1) tap();
          const before = frames.length;
          await until('frames come', () => frames.length > before + 5).finally(player.stop);
          source.close();
          await until('it ended', () => said.length === round);
        }
        assert.deepEqual(said, ['ended', 'ended']);
        assert.equal(tracks.length, 2);
      });

      it('delivers one source only, and asks its publisher for keyframes', async (t) => {
        const { stream, frames, tracks, tap } = tapping(t);
        const publisher = await harness.publish(stream, 'camera');
        const other = await harness.publish(stream, null);
        try {
          tap('camera');
          await until('a keyframe is requested twice, and frames came', () => {
            publisher.sendFrame(frames.length === 0);
            other.sendFrame(true);
            return publisher.keyframeRequests > 1 && frames.length > 10;
          });
          const picture = frames.find(({ kind }) => kind === 'video');
          assert.deepEqual([picture?.width, picture?.height], [320, 180]);
          assert.equal(tracks.length, 1);
        } finally {
          publisher.close();
          other.close();
        }
      });
    });

    // The last one, because it closes the engine of all.
    it('says that the engine is gone, once, and nothing after it was closed', async (t) => {
      const { stream, frames, said, tap } = tapping(t);
      const source = await engine.addSource(stream, { video: { codec: 'vp8' } });
      const player = play(source, 'vp8');
      const closed = tap();
      tap();
      await until('frames come', () => frames.length > 5);
      closed.close();
      await engine.close();
      player.stop();
      await until('the other one is closed', () => said.includes('closed'));
      assert.deepEqual(said, ['ended', 'closed']);
    });
  });
}
