import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { PublicationFault } from '../../../../server/ingest/rtmp/publication-fault.js';
import { RtmpPublication } from '../../../../server/ingest/rtmp/rtmp-publication.js';
import type { OpusTranscoderListener } from '../../../../server/ingest/rtmp/transcoders/opus-transcoder.js';
import type { AddedSource } from '../../../../server/media/engine/media-session.js';
import type { AddedTracks, SourceFrame } from '../../../../server/media/engine/media-track.js';
import { MediaError } from '../../../../server/media/engine/media-error.js';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
/** FLV tags: an AVC configuration, a keyframe and another frame, an AAC configuration and a frame. */
const AVC_CONFIG = hex('17 00 000000 01 64002a ff e1 0005 6764002aac 01 0002 68ee');
const KEYFRAME = hex('17 01 000000 00000002 6588');
const FRAME = hex('27 01 000000 00000002 419a');
const AAC_CONFIG = hex('af 00 1190');
const AAC_FRAME = hex('af 01 2110');
const HEVC = hex('1c 00 000000 01');

describe('what an encoder publishes', () => {
  let tracks: AddedTracks[];
  let written: SourceFrame[];
  let closed: number;
  /** What the source was before the frame that was written next. */
  let changed: { tracks: AddedTracks; before: number }[];
  let faults: PublicationFault[];
  let notices: string[];
  let ends: string[];
  let transcoders: { listener: OpusTranscoderListener; frames: number[]; closed: boolean }[];
  let refuse: boolean;

  beforeEach(() => {
    [tracks, written, closed, faults, notices, ends, transcoders, refuse] = [[], [], 0, [], [], [], [], false];
    changed = [];
  });

  const source: AddedSource = {
    id: 'one',
    write: (frame) => void written.push(frame),
    setTracks: (other) => void changed.push({ tracks: other, before: written.length }),
    close: () => void closed++,
  };

  function publication({ ffmpeg = true } = {}) {
    return new RtmpPublication({
      async addSource(added) {
        tracks.push(added);
        if (refuse) throw new MediaError('stream_in_use', 'the source has a publisher already');
        return source;
      },
      openOpusTranscoder: ffmpeg
        ? (_config, listener) => {
            const transcoder = { listener, frames: [] as number[], closed: false };
            transcoders.push(transcoder);
            return {
              write: (_frame, timestampMs) => void transcoder.frames.push(timestampMs),
              close: () => void (transcoder.closed = true),
            };
          }
        : undefined,
      onFault: (fault) => void faults.push(fault),
      openPictureTranscoder: undefined,
      onNotice: (notice, holds) => void notices.push(`${notice}: ${holds}`),
      onTranscoderEnd: (track, reason) => void ends.push(`${track}: ${reason}`),
    });
  }
  const media = (kind: 'audio' | 'video', payload: Buffer, timestamp = 0) =>
    ({ name: 'media', kind, payload, timestamp }) as const;
  /** The source is added after a turn. */
  const turn = () => new Promise(setImmediate);

  it('is added with both tracks when their configurations came, and loses nothing before', async () => {
    const encoder = publication();
    encoder.write(media('video', AVC_CONFIG));
    encoder.write(media('video', KEYFRAME));
    assert.equal(tracks.length, 0);
    encoder.write(media('audio', AAC_CONFIG));
    await turn();
    assert.deepEqual(tracks, [{ audio: { codec: 'opus' }, video: { codec: 'h264', profile: '6400' } }]);
    assert.equal(written.length, 1);
    assert.equal(written[0]?.isKeyframe, true);
  });

  it('is a picture without sound if no sound comes within a second', async () => {
    const encoder = publication();
    encoder.write(media('video', AVC_CONFIG));
    for (const timestamp of [0, 500, 999]) encoder.write(media('video', KEYFRAME, timestamp));
    assert.equal(tracks.length, 0);
    encoder.write(media('video', KEYFRAME, 1_000));
    await turn();
    assert.deepEqual(tracks, [{ audio: undefined, video: { codec: 'h264', profile: '6400' } }]);
    assert.equal(written.length, 4);
  });

  it('has AAC turned into Opus, with the timestamps of the transcoder', async () => {
    const encoder = publication();
    encoder.write(media('video', AVC_CONFIG));
    encoder.write(media('audio', AAC_CONFIG));
    await turn();
    encoder.write(media('audio', AAC_FRAME, 40));
    assert.deepEqual(transcoders[0]?.frames, [40]);
    transcoders[0].listener.onPacket(Buffer.from([1]), 60);
    assert.deepEqual(written, [{ kind: 'audio', data: Buffer.from([1]), isKeyframe: true, timestampMs: 60 }]);
  });

  it('is a picture only without ffmpeg, and the owner learns why', async () => {
    const encoder = publication({ ffmpeg: false });
    encoder.write(media('video', AVC_CONFIG));
    encoder.write(media('audio', AAC_CONFIG));
    await turn();
    assert.equal(tracks[0]?.audio, undefined);
    assert.deepEqual(notices, ['sound_needs_ffmpeg: true']);
  });

  it('starts another ffmpeg if one dies, but not for ever', async () => {
    const encoder = publication();
    encoder.write(media('video', AVC_CONFIG));
    encoder.write(media('audio', AAC_CONFIG));
    await turn();
    for (let count = 0; count < 10; count++) {
      encoder.write(media('audio', AAC_FRAME, 40 * count));
      transcoders.at(-1)?.listener.onEnd('code 1');
    }
    assert.equal(transcoders.length, 5);
    assert.deepEqual([notices, ends[0]], [['sound_failed: true'], 'audio: code 1']);
    encoder.write(media('video', KEYFRAME, 500));
    assert.equal(written.length, 1);
  });

  it('has sound again if ffmpeg works a minute later', async () => {
    const encoder = publication();
    encoder.write(media('video', AVC_CONFIG));
    encoder.write(media('audio', AAC_CONFIG));
    await turn();
    for (const timestamp of [0, 40, 80, 120, 160, 200]) {
      encoder.write(media('audio', AAC_FRAME, timestamp));
      transcoders.at(-1)?.listener.onEnd('code 1');
    }
    // In steps that are no jump of the timestamps.
    for (let timestamp = 4_000; timestamp <= 64_000; timestamp += 4_000) {
      encoder.write(media('audio', AAC_FRAME, timestamp));
    }
    assert.equal(transcoders.length, 6);
    transcoders.at(-1)?.listener.onPacket(Buffer.from([1]), 60_000);
    assert.deepEqual(notices, ['sound_failed: true', 'sound_failed: false']);
    assert.equal(written.length, 1);
  });

  it('has other sound turned into Opus by another ffmpeg, and the same sound by the same', async () => {
    const encoder = publication();
    encoder.write(media('video', AVC_CONFIG));
    for (const config of [AAC_CONFIG, AAC_CONFIG, hex('af 00 1208')]) {
      encoder.write(media('audio', config));
      encoder.write(media('audio', AAC_FRAME));
    }
    assert.deepEqual(
      transcoders.map((each) => each.closed),
      [true, false],
    );
  });

  it('is sound without a picture if no picture comes within a second', async () => {
    const encoder = publication();
    encoder.write(media('audio', AAC_CONFIG));
    for (const timestamp of [0, 500, 1_000]) encoder.write(media('audio', AAC_FRAME, timestamp));
    await turn();
    assert.deepEqual(tracks, [{ audio: { codec: 'opus' }, video: undefined }]);
    assert.deepEqual([transcoders[0]?.frames, faults], [[0, 500, 1_000], []]);
  });

  it('gets its picture whenever that comes, from the first keyframe on', async () => {
    const encoder = publication();
    encoder.write(media('audio', AAC_CONFIG));
    for (let timestamp = 0; timestamp <= 2_000; timestamp += 20) encoder.write(media('audio', AAC_FRAME, timestamp));
    await turn();
    encoder.write(media('video', AVC_CONFIG, 2_000));
    assert.deepEqual([tracks.length, changed.length], [1, 0]);
    encoder.write(media('video', KEYFRAME, 2_000));
    encoder.write(media('video', KEYFRAME, 4_000));
    assert.deepEqual(changed, [
      { tracks: { audio: { codec: 'opus' }, video: { codec: 'h264', profile: '6400' } }, before: 0 },
    ]);
    assert.deepEqual(
      written.map(({ kind, timestampMs }) => [kind, timestampMs]),
      [
        ['video', 2_000],
        ['video', 4_000],
      ],
    );
  });

  it('gets its sound whenever that comes, with the next keyframe, because the picture begins anew', async () => {
    const encoder = publication();
    encoder.write(media('video', AVC_CONFIG));
    for (const timestamp of [0, 500, 1_000]) encoder.write(media('video', KEYFRAME, timestamp));
    await turn();
    encoder.write(media('audio', AAC_CONFIG, 9_000));
    encoder.write(media('audio', AAC_FRAME, 9_000));
    encoder.write(media('video', FRAME, 9_000));
    assert.deepEqual(changed, []);
    encoder.write(media('video', KEYFRAME, 9_040));
    encoder.write(media('video', KEYFRAME, 10_040));
    assert.deepEqual(changed, [
      { tracks: { audio: { codec: 'opus' }, video: { codec: 'h264', profile: '6400' } }, before: 4 },
    ]);
  });

  it('says why late sound is left out', async () => {
    const encoder = publication({ ffmpeg: false });
    encoder.write(media('video', AVC_CONFIG));
    for (const timestamp of [0, 1_000]) encoder.write(media('video', KEYFRAME, timestamp));
    await turn();
    for (const timestamp of [2_000, 3_000]) encoder.write(media('audio', AAC_CONFIG, timestamp));
    assert.deepEqual(notices, ['sound_needs_ffmpeg: true']);
    encoder.write(media('video', KEYFRAME, 4_000));
    assert.deepEqual(changed, []);
  });

  it('waits ten seconds for a picture if its sound cannot be published', async () => {
    const encoder = publication({ ffmpeg: false });
    encoder.write(media('audio', AAC_CONFIG));
    for (const timestamp of [0, 4_000, 8_000]) encoder.write(media('audio', AAC_FRAME, timestamp));
    encoder.write(media('video', AVC_CONFIG, 9_000));
    encoder.write(media('video', KEYFRAME, 9_000));
    await turn();
    assert.deepEqual([faults, tracks], [[], [{ audio: undefined, video: { codec: 'h264', profile: '6400' } }]]);
  });

  it('goes on with pictures of another size, each keyframe with its own parameter sets', async () => {
    const encoder = publication();
    encoder.write(media('video', AVC_CONFIG));
    encoder.write(media('audio', AAC_CONFIG));
    await turn();
    encoder.write(media('video', KEYFRAME, 0));
    encoder.write(media('video', hex('17 00 000000 01 64001e ff e1 0005 6764001eac 01 0002 68ee'), 40));
    encoder.write(media('video', KEYFRAME, 40));
    assert.deepEqual(
      written.map(({ data, isKeyframe }) => [data.subarray(4, 9).toString('hex'), isKeyframe]),
      [
        ['6764002aac', true],
        ['6764001eac', true],
      ],
    );
    assert.deepEqual([tracks.length, faults], [1, []]);
  });

  it('stays on one line of time when the timestamps of the encoder jump or go back', async () => {
    const encoder = publication();
    encoder.write(media('video', AVC_CONFIG));
    encoder.write(media('audio', AAC_CONFIG));
    await turn();
    for (const timestamp of [0, 40, 80, 3_600_000, 3_600_040, 10, 50, 2 ** 32 - 20]) {
      encoder.write(media('video', KEYFRAME, timestamp));
      encoder.write(media('audio', AAC_FRAME, timestamp));
    }
    const times = [written.map(({ timestampMs }) => timestampMs), transcoders[0]!.frames];
    for (const line of times) {
      assert.equal(line.length, 8);
      assert.ok(
        line.every((time, index) => index === 0 || (time >= line[index - 1]! && time - line[index - 1]! < 5_000)),
      );
    }
    assert.ok(times[0]!.every((time, index) => Math.abs(time - times[1]![index]!) < 100));
    assert.deepEqual(faults, []);
  });

  it('is refused with a codec that browsers do not play', () => {
    publication().write(media('video', HEVC));
    assert.deepEqual(
      faults.map(({ code }) => code),
      ['codec_unsupported'],
    );
    assert.match(faults[0]!.message, /HEVC/);
  });

  it('is refused if nothing of it can be published', () => {
    const encoder = publication({ ffmpeg: false });
    encoder.write(media('audio', AAC_CONFIG));
    encoder.write(media('audio', AAC_FRAME, 9_999));
    assert.equal(faults.length, 0);
    encoder.write(media('audio', AAC_FRAME, 10_000));
    assert.equal(faults[0]?.code, 'nothing_to_publish');
  });

  it('ends with the source and the transcoder, and writes nothing after', async () => {
    const encoder = publication();
    encoder.write(media('video', AVC_CONFIG));
    encoder.write(media('audio', AAC_CONFIG));
    await turn();
    encoder.write(media('audio', AAC_FRAME));
    encoder.end();
    assert.deepEqual([closed, transcoders[0]?.closed], [1, true]);
    transcoders[0]?.listener.onPacket(Buffer.from([1]), 60);
    encoder.write(media('video', KEYFRAME, 40));
    assert.equal(written.length, 0);
  });

  it('closes a source that is added after the end', async () => {
    const encoder = publication();
    encoder.write(media('video', AVC_CONFIG));
    encoder.write(media('audio', AAC_CONFIG));
    encoder.end();
    await turn();
    assert.equal(closed, 1);
  });

  it('ends if the source cannot be added', async () => {
    refuse = true;
    const encoder = publication();
    encoder.write(media('video', AVC_CONFIG));
    encoder.write(media('audio', AAC_CONFIG));
    await turn();
    encoder.write(media('video', KEYFRAME));
    assert.deepEqual([written.length, tracks.length, faults.length], [0, 1, 0]);
  });
});
