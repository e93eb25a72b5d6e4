import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ChunkReader } from '../../../server/rtmp/chunk-reader.js';
import type { MediaEvent, MediaFrame } from '../../../server/rtmp/flv-media.js';
import { uint32 } from '../../../server/rtmp/integers.js';
import { readStreamKey } from '../../../server/rtmp/stream-key.js';
import { LIVE_H264, runFfmpeg, runGstreamer, words, type EncoderResult } from '../../support/run-encoder.ts';
import { HANDSHAKE_BYTES, messagesByNodeMediaServer } from '../../support/node-media-server.ts';
import { startRtmpTestServer, type EncoderRecord, type RtmpTestOptions } from './rtmp-test-server.ts';

/** Three seconds of a test picture at 30/s, and a tone. */
const INPUT = words('-t 3 -f lavfi -i testsrc2=size=320x180:rate=30 -t 3 -f lavfi -i sine=sample_rate=48000');
const B_FRAMES = words('-c:v libx264 -bf 2 -pix_fmt yuv420p');
const AAC = words('-c:a aac -b:a 96k');

const QUERY = 'v2/pub/news?token=abc123';
const SENTENCE = 'The token has expired. Ask the owner of the stream for a new one';

interface Push {
  readonly result: EncoderResult;
  readonly record: EncoderRecord;
}

/** Starts an encoder with the URL of a server, and waits until it ends. */
async function pushed(
  encoder: (url: string) => Promise<EncoderResult>,
  { path = QUERY, ...options }: RtmpTestOptions & { readonly path?: string } = {},
): Promise<Push> {
  const server = await startRtmpTestServer(options);
  try {
    const result = await encoder(`rtmp://127.0.0.1:${server.port}/${path}`);
    const record = server.connections[0];
    assert.ok(record, result.output);
    return { result, record };
  } finally {
    await server.close();
  }
}

const ffmpeg =
  (...output: readonly string[]) =>
  (url: string) =>
    runFfmpeg([...INPUT, ...output, '-f', 'flv', url]);

const gstreamer = (sink: string) => (url: string) =>
  runGstreamer([
    ...words('-q videotestsrc num-buffers=90 ! video/x-raw,width=320,height=180,framerate=30/1'),
    ...words('! x264enc tune=zerolatency key-int-max=30 ! flvmux streamable=true name=flv'),
    ...words(`! ${sink} location=${url} audiotestsrc num-buffers=140 ! voaacenc ! flv.`),
  ]);

type H264Frame = MediaFrame & { codec: 'h264' };
const h264Frames = (media: readonly MediaEvent[]): readonly H264Frame[] =>
  media.filter((event): event is H264Frame => event.kind === 'frame' && event.codec === 'h264');
const aacFrames = (media: readonly MediaEvent[]) =>
  media.filter((event): event is MediaFrame => event.kind === 'frame' && event.codec === 'aac');

const isGrowing = (values: readonly number[]): boolean =>
  values.every((value, index) => index === 0 || value > values[index - 1]!);

/** A frame in ffmpeg's `framemd5`: its track, when it is decoded and shown, and its hash. */
type FrameHash = readonly [track: number, decoded: number, shown: number, hash: string];

function frameHashesIn(output: string): readonly FrameHash[] {
  const lines = output.split('\n').filter((line) => /^\d/.test(line));
  return lines
    .map((line) => line.split(/,\s*/))
    .map(([track, dts, pts, , , hash = '']) => [Number(track), Number(dts), Number(pts), hash] as const);
}

function frameHashOf(frame: MediaFrame): FrameHash {
  const bytes = frame.codec === 'h264' ? frame.data.flatMap((unit) => [uint32(unit.length), unit]) : [frame.data];
  const hash = createHash('md5').update(Buffer.concat(bytes)).digest('hex');
  return [frame.codec === 'h264' ? 0 : 1, frame.timestamp, frame.timestamp + frame.compositionTime, hash];
}

/** In one order, and from time 0: ffmpeg moves all times so that none is negative. */
function fromZero(frames: readonly FrameHash[]): readonly FrameHash[] {
  const start = Math.min(...frames.map(([, decoded]) => decoded));
  return frames
    .map(([track, decoded, shown, hash]) => [track, decoded - start, shown - start, hash] as const)
    .toSorted(([track, decoded], [otherTrack, otherDecoded]) => track - otherTrack || decoded - otherDecoded);
}

/** Three seconds, whatever the encoder adds to the sound. */
function assertThreeSeconds({ media }: EncoderRecord): void {
  const [video, audio] = [h264Frames(media), aacFrames(media)];
  assert.equal(video.length, 90);
  assert.ok(Math.abs(audio.length - 140) <= 3, `${audio.length} frames of AAC`);
  assert.ok(isGrowing(video.map(({ timestamp }) => timestamp)));
  assert.ok(isGrowing(audio.map(({ timestamp }) => timestamp)));
  assert.deepEqual(
    media.filter(({ kind }) => kind === 'unreadable' || kind === 'unsupported'),
    [],
  );
}

/** Another implementation finds the same messages in the bytes of the encoder. */
function assertReadAlike({ received }: EncoderRecord): void {
  const chunks = Buffer.concat(received).subarray(HANDSHAKE_BYTES);
  const { messages, fault } = new ChunkReader().read(chunks);
  assert.ok(messages.length > 230, `${messages.length} messages`);
  assert.deepEqual([messages, fault], [messagesByNodeMediaServer(chunks), undefined]);
}

describe('ffmpeg', () => {
  it('publishes H.264 and AAC', async () => {
    const { result, record } = await pushed(ffmpeg(...LIVE_H264, ...AAC));
    assert.equal(result.code, 0, result.output);
    assertThreeSeconds(record);
    assertReadAlike(record);
    assert.deepEqual(record.requests.map(readStreamKey), [
      { ok: true, value: { streamName: 'news', token: 'abc123', sourceId: undefined, priority: undefined } },
    ]);
    const [first, video, audio] = record.media.filter(({ kind }) => kind === 'metadata' || kind === 'config');
    assert.ok(first?.kind === 'metadata' && first.metadata.encoder?.startsWith('Lavf'));
    assert.deepEqual({ ...first.metadata, encoder: '' }, { width: 320, height: 180, frameRate: 30, encoder: '' });
    assert.ok(video?.kind === 'config' && video.codec === 'h264');
    assert.deepEqual([video.config.sequenceParameterSets.length, video.config.lengthBytes], [1, 4]);
    assert.ok(audio?.kind === 'config' && audio.codec === 'aac');
    assert.deepEqual([audio.config.profile, audio.config.sampleRate], ['LC', 48_000]);
    const frames = h264Frames(record.media);
    assert.deepEqual(
      frames.flatMap(({ isKeyframe }, index) => (isKeyframe ? index : [])),
      [0, 30, 60],
    );
    assert.ok(frames.every(({ compositionTime }) => compositionTime === 0));
    assert.equal(record.end, 'unpublished');
    assert.ok(record.largestBuffer < 256 * 1024, `${record.largestBuffer} bytes`);
  });

  it('publishes B-frames, which composition times show', async () => {
    const { record } = await pushed(ffmpeg(...B_FRAMES, ...AAC));
    assertThreeSeconds(record);
    assertReadAlike(record);
    const frames = h264Frames(record.media);
    assert.ok(new Set(frames.map(({ compositionTime }) => compositionTime)).size > 1);
    const shown = frames.map(({ timestamp, compositionTime }) => timestamp + compositionTime);
    assert.ok(!isGrowing(shown));
    assert.ok(isGrowing(shown.toSorted((one, other) => one - other)));
  });

  it('finds the same frames in its file: bytes and times', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'streamgate-rtmp-'));
    try {
      const file = join(folder, 'recorded.flv');
      await runFfmpeg([...INPUT, ...B_FRAMES, ...AAC, file]);
      const copy = ['-v', 'error', '-i', file, ...words('-map 0 -c copy')];
      const { output } = await runFfmpeg([...copy, '-f', 'framemd5', '-']);
      const { record } = await pushed((url) => runFfmpeg([...copy, '-f', 'flv', url]));
      const frames = record.media.filter((event): event is MediaFrame => event.kind === 'frame');
      assert.ok(frames.length > 200, `${frames.length} frames`);
      assert.deepEqual(fromZero(frames.map(frameHashOf)), fromZero(frameHashesIn(output)));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('publishes to a path with token and name', async () => {
    const { record } = await pushed(ffmpeg(...LIVE_H264, '-an'), { path: 'live/abc123/a/b' });
    const [read] = record.requests.map(readStreamKey);
    assert.deepEqual(read?.ok && [read.value.streamName, read.value.token], ['a/b', 'abc123']);
  });

  it('shows the sentence of a refusal', async () => {
    const decide: RtmpTestOptions['decide'] = (session) => session.refuse('token_expired', SENTENCE);
    const { result, record } = await pushed(ffmpeg(...LIVE_H264, ...AAC), { decide });
    assert.notEqual(result.code, 0);
    assert.ok(result.output.includes(`Server error: ${SENTENCE}`), result.output);
    assert.deepEqual([record.media, record.end], [[], 'refused']);
  });

  it('shows why a stream is ended while it is live', async () => {
    const onMedia: RtmpTestOptions['onMedia'] = (session) => session.refuse('token_expired', SENTENCE);
    // In real time, or ffmpeg has sent everything before it reads.
    const { result } = await pushed((url) => runFfmpeg(['-re', ...INPUT, ...LIVE_H264, '-f', 'flv', url]), { onMedia });
    assert.ok(result.output.includes(`Server error: ${SENTENCE}`), result.output);
  });
});

/** rtmpsink is librtmp, of which OBS has a copy. */
for (const sink of ['rtmp2sink', 'rtmpsink']) {
  describe(`GStreamer's ${sink}`, () => {
    it('publishes H.264 and AAC', async () => {
      const { result, record } = await pushed(gstreamer(sink));
      assert.equal(result.code, 0, result.output);
      assertThreeSeconds(record);
      assertReadAlike(record);
      assert.equal(record.end, 'unpublished');
    });

    it('ends when it is refused', async () => {
      const decide: RtmpTestOptions['decide'] = (session) => session.refuse('token_expired', SENTENCE);
      const { result, record } = await pushed(gstreamer(sink), { decide });
      assert.notEqual(result.code, 0);
      assert.deepEqual([record.media, record.end], [[], 'refused']);
      // librtmp gives the sentence to its log only.
      assert.equal(result.output.includes(SENTENCE), sink === 'rtmp2sink', result.output);
    });
  });
}
