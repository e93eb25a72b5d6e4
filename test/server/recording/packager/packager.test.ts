import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, truncateSync, writeFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import fc from 'fast-check';
import type { VideoCodec } from '../../../../server/media/engine/media-track.js';
import { PartUnreadableError } from '../../../../server/recording/matroska/part-reader.js';
import { finish } from '../../../../server/recording/packager/finish.js';
import { readPart } from '../../../../server/recording/packager/read-part.js';
import { initSegment, segment } from '../../../../server/recording/packager/segment.js';
import type { PartGroup } from '../../../../server/recording/recorder.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { decodeFile, type DecodedFrame } from '../../../support/recording/decode-file.js';
import { inOrder, soundFrames, videoFrames } from '../../../support/recording/encoded-media.js';
import { recordFrames } from '../../../support/recording/record-frames.js';

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

const STARTS_AT = 1_700_000_000_000;
const opus = { codec: 'opus' } as const;

const recorded = new Map<VideoCodec | 'sound', ReturnType<typeof record>>();
const records = new Cleanup();
after(() => records.run());

async function record(codec: VideoCodec | 'sound') {
  const video = codec === 'sound' ? [] : await videoFrames({ codec, seconds: 6 });
  const frames = inOrder(STARTS_AT, video, await soundFrames(6));
  const tracks = { video: codec === 'sound' ? undefined : { codec }, audio: opus };
  return recordFrames(await dataFolder(records), frames, tracks);
}

/** Six seconds with sound, in three groups: recorded once, and in a folder of the test. */
async function aPart(codec: VideoCodec | 'sound' = 'h264') {
  if (!recorded.has(codec)) recorded.set(codec, record(codec));
  const { start, groups, end } = await recorded.get(codec)!;
  const folder = await dataFolder(cleanup);
  const file = join(folder, basename(start.file));
  copyFileSync(start.file, file);
  return { folder, file, startsAt: STARTS_AT, groups, bytes: end.bytes };
}

const largestStep = (frames: readonly DecodedFrame[]): number =>
  Math.max(...frames.slice(1).map(({ timestampMs }, index) => timestampMs - frames[index]!.timestampMs));

/** The init segment and all segments, one after the other. */
async function asSegments(
  part: { file: string; startsAt: number },
  groups: readonly PartGroup[],
  bytes: number,
  zero: number,
) {
  const init = await initSegment(part, groups[0]!.position);
  const media: Buffer[] = [];
  for (const [index, { position }] of groups.entries()) {
    const { position: to, timestampMs: endMs } = groups[index + 1] ?? { position: bytes, timestampMs: 6_000 };
    media.push(await segment({ part, from: position, to, keyframeAt: undefined, black: undefined, endMs }, zero));
  }
  return { init, media };
}

describe('readPart', () => {
  it('finds what the recorder reported', async () => {
    const { file, groups, bytes } = await aPart();
    const index = await readPart(file);
    assert.deepEqual([index.groups, index.bytes], [groups, bytes]);
    assert.deepEqual(index.video, { codec: 'h264', width: 320, height: 180 });
    assert.ok(Math.abs(index.durationMs - 6_000) < 34);
  });

  it('reads a file that is cut off anywhere up to its last complete frame', async () => {
    const { file, folder, groups, bytes } = await aPart();
    const complete = readFileSync(file);
    const cut = join(folder, 'cut.mkv');
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: groups[0]!.position, max: bytes }), async (length) => {
        writeFileSync(cut, complete.subarray(0, length));
        const index = await readPart(cut).catch((error: unknown) => error);
        if (index instanceof PartUnreadableError) return length < groups[0]!.position + 20_000;
        const { bytes: readable, groups: found } = index as Awaited<ReturnType<typeof readPart>>;
        const expected = groups.slice(0, found.length);
        assert.deepEqual(found, expected);
        return readable <= length && length - readable < 20_000;
      }),
      { numRuns: 40 },
    );
    truncateSync(file, bytes - 1_000);
    assert.equal((await readPart(file)).groups.length, 3);
    const { errors, video } = await decodeFile((await finish([{ file, startsAt: STARTS_AT }], join(folder, 'r'))).file);
    assert.deepEqual([errors, video.length >= 175], ['', true]);
  });

  it('refuses what is no part, with a reason', async () => {
    const folder = await dataFolder(cleanup);
    const file = join(folder, 'garbage.mkv');
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.boolean(), async (bytes, looksRight) => {
        const start = looksRight ? Buffer.from('1a45dfa380185380670100000000000000', 'hex') : Buffer.of();
        writeFileSync(file, Buffer.concat([start, bytes]));
        await assert.rejects(readPart(file), /^PartUnreadableError: the recorded file /);
      }),
      { numRuns: 100 },
    );
    await assert.rejects(readPart(join(folder, 'missing.mkv')), /cannot be opened/);
  });

  it('does not take a fault of the disk for a part that cannot be read', async () => {
    await assert.rejects(readPart(await dataFolder(cleanup)), { code: 'EISDIR' });
  });
});

describe('finish', () => {
  for (const [codec, container] of [
    ['h264', 'mp4'],
    ['vp9', 'mp4'],
    ['av1', 'mp4'],
    ['vp8', 'webm'],
  ] as const) {
    it(`makes ${container} of two parts with ${codec}, with the gap between them`, async () => {
      const part = await aPart(codec);
      const parts = [part, { file: part.file, startsAt: STARTS_AT + 9_000 }];
      const finished = await finish(parts, join(part.folder, 'recording'));
      assert.deepEqual([finished.file, finished.container], [join(part.folder, `recording.${container}`), container]);
      assert.deepEqual(readdirSync(part.folder).length, 2);
      assert.deepEqual(
        finished.groups.map(({ timestampMs }) => timestampMs),
        [0, 2_000, 4_000, 9_000, 11_000, 13_000],
      );
      const { errors, video, audio, durationMs } = await decodeFile(finished.file);
      assert.deepEqual([errors, video.length], ['', 360]);
      assert.deepEqual([video[180]!.timestampMs, Math.abs(durationMs! - 15_000) < 40], [9_000, true]);
      assert.ok(Math.abs(finished.durationMs - 15_000) < 40);
      // Sound and picture keep together.
      assert.ok(Math.abs(audio.find(({ timestampMs }) => timestampMs > 7_000)!.timestampMs - 9_000) <= 1);
    });
  }

  it('puts the index of an MP4 file before its media', async () => {
    const part = await aPart();
    const bytes = readFileSync((await finish([part], join(part.folder, 'recording'))).file);
    const [moov, mdat] = [bytes.indexOf('moov'), bytes.indexOf('mdat')];
    assert.ok(moov > 0 && moov < 100 && moov < mdat);
  });

  it('makes WebM of sound alone', async () => {
    const part = await aPart('sound');
    const finished = await finish([part], join(part.folder, 'recording'));
    const { errors, audio, durationMs } = await decodeFile(finished.file);
    assert.deepEqual([finished.container, errors, audio.length >= 300], ['webm', '', true]);
    assert.ok(Math.abs(durationMs! - 6_000) < 40);
  });

  it('cuts a clip at the keyframes around it', async () => {
    const part = await aPart();
    const range = { from: STARTS_AT + 2_500, to: STARTS_AT + 3_900 };
    const clip = await finish([part], join(part.folder, 'clip'), range);
    const { errors, video } = await decodeFile(clip.file);
    assert.deepEqual([errors, video.length, video[0]!.timestampMs], ['', 60, 0]);
    const before = { from: STARTS_AT - 9_000, to: STARTS_AT - 8_000 };
    await assert.rejects(finish([part], join(part.folder, 'none'), before), /nothing was recorded in this time/);
    const after = { from: STARTS_AT + 8_000, to: STARTS_AT + 9_000 };
    await assert.rejects(finish([part], join(part.folder, 'none'), after), /nothing was recorded in this time/);
  });

  for (const [codec, container] of [
    ['h264', 'mp4'],
    ['vp8', 'webm'],
  ] as const) {
    it(`begins a clip with the keyframe before it when no picture came then, in ${container}`, async () => {
      const folder = await dataFolder(cleanup);
      const video = await videoFrames({ codec, seconds: 2 });
      const camera = [...inOrder(STARTS_AT, video), ...inOrder(STARTS_AT + 7_500, video)];
      const frames = inOrder(0, camera, inOrder(STARTS_AT, await soundFrames(9)));
      const { start, groups } = await recordFrames(folder, frames, { video: { codec }, audio: opus });
      assert.deepEqual(
        groups.map(({ isSound }) => isSound),
        [undefined, true, true, undefined],
      );
      const range = { from: STARTS_AT + 5_500, to: STARTS_AT + 9_000 };
      const clip = await finish([{ file: start.file, startsAt: STARTS_AT }], join(folder, 'clip'), range);
      const decoded = await decodeFile(clip.file);
      assert.deepEqual([clip.container, decoded.errors, decoded.video.length], [container, '', 120]);
      assert.ok(largestStep(decoded.audio) <= 22, String(largestStep(decoded.audio)));
    });
  }

  for (const [codec, container] of [
    ['h264', 'mp4'],
    ['vp9', 'mp4'],
    ['av1', 'mp4'],
    ['vp8', 'webm'],
  ] as const) {
    it(`cuts the same clip from a finished ${container} file as from its parts, in ${codec}`, async () => {
      const part = await aPart(codec);
      const parts = [part, { file: part.file, startsAt: STARTS_AT + 9_000 }];
      const { file } = await finish(parts, join(part.folder, 'recording'));
      // From the keyframe at 4 s to the one at 11 s, with the time when nobody was there.
      const range = { from: STARTS_AT + 4_700, to: STARTS_AT + 10_500 };
      const [ofParts, ofFile] = [
        await finish(parts, join(part.folder, 'of-parts'), range),
        await finish([{ file, startsAt: STARTS_AT }], join(part.folder, 'of-file'), range),
      ];
      const [expected, clip] = [await decodeFile(ofParts.file), await decodeFile(ofFile.file)];
      assert.deepEqual([clip.errors, ofFile.container, clip.video.length], ['', container, 120]);
      assert.deepEqual([clip.video, clip.durationMs], [expected.video, expected.durationMs]);
      assert.ok(Math.abs(clip.audio.length - expected.audio.length) <= 2, `${clip.audio.length}`);
      assert.equal((await readPart(file)).video?.codec, codec);
    });
  }

  it('cuts a clip of the time before the camera was on, and after it was off, with its sound alone', async () => {
    const folder = await dataFolder(cleanup);
    const [video, sound] = [await videoFrames({ codec: 'h264', seconds: 4 }), await soundFrames(28)];
    const frames = inOrder(0, inOrder(STARTS_AT, sound), inOrder(STARTS_AT + 12_000, video));
    const before = frames.filter(({ timestampMs }) => timestampMs < STARTS_AT + 12_000);
    const after = frames.filter(({ timestampMs }) => timestampMs >= STARTS_AT + 12_000);
    const alone = await recordFrames(folder, before, { video: undefined, audio: opus });
    const both = await recordFrames(await dataFolder(cleanup), after, { video: { codec: 'h264' }, audio: opus });
    const parts = [alone, both].map(({ start: { file, startsAt } }) => ({ file, startsAt }));
    const { file } = await finish(parts, join(folder, 'recording'));
    const clipOf = async (from: number, to: number) => {
      const range = { from: STARTS_AT + from, to: STARTS_AT + to };
      const clip = await finish([{ file, startsAt: STARTS_AT }], join(folder, `clip-${from}`), range);
      const { errors, video: pictures, audio } = await decodeFile(clip.file);
      return [clip.container, errors, pictures.length, Math.round(audio.length / 50)];
    };
    assert.deepEqual(await clipOf(4_500, 8_000), ['webm', '', 0, 4]);
    assert.deepEqual(await clipOf(26_500, 28_000), ['webm', '', 0, 2]);
    assert.deepEqual(await clipOf(10_500, 14_000), ['mp4', '', 60, 4]);
  });

  it('leaves no file when the parts do not fit together', async () => {
    const [part, other] = [await aPart('h264'), await aPart('vp9')];
    await assert.rejects(finish([part, other], join(part.folder, 'recording')), /different codecs/);
    assert.deepEqual(readdirSync(part.folder), ['part-1.mkv']);
  });
});

describe('segments', () => {
  for (const codec of ['h264', 'vp9', 'av1'] as const) {
    it(`of a part with ${codec} play one after the other without a gap`, async () => {
      const part = await aPart(codec);
      const { init, media } = await asSegments(part, part.groups, part.bytes, STARTS_AT - 5_000);
      const file = join(part.folder, 'all.mp4');
      writeFileSync(file, Buffer.concat([init, ...media]));
      const { errors, video, audio } = await decodeFile(file);
      assert.deepEqual([errors, video.length, video[0]!.timestampMs], ['', 180, 5_000]);
      assert.ok(largestStep(video) <= 34 && largestStep(audio) <= 22, `${largestStep(video)} ${largestStep(audio)}`);
      // Each plays with the init segment alone.
      writeFileSync(file, Buffer.concat([init, media[1]!]));
      const second = await decodeFile(file);
      assert.deepEqual([second.errors, second.video.length, second.video[0]!.timestampMs], ['', 60, 7_000]);
    });

    it(`of a finished file with ${codec} are those of its parts`, async () => {
      const part = await aPart(codec);
      const finished = await finish([part], join(part.folder, 'recording'));
      const whole = { file: finished.file, startsAt: STARTS_AT };
      const { init, media } = await asSegments(whole, finished.groups, finished.bytes, STARTS_AT);
      const file = join(part.folder, 'all.mp4');
      writeFileSync(file, Buffer.concat([init, ...media]));
      const { errors, video, audio } = await decodeFile(file);
      assert.deepEqual([errors, video.length, video[0]!.timestampMs], ['', 180, 0]);
      assert.ok(largestStep(video) <= 34 && largestStep(audio) <= 22, `${largestStep(video)} ${largestStep(audio)}`);
    });
  }

  it('of a part with VP9 leave the colours to the picture, so that no browser shifts them', async () => {
    const part = await aPart('vp9');
    const init = await initSegment(part, part.groups[0]!.position);
    const finished = readFileSync((await finish([part], join(part.folder, 'recording'))).file);
    for (const bytes of [init, finished]) {
      // VP Codec ISO Media File Format Binding, vpcC: after version, profile, level and depth. 2: not specified.
      const at = bytes.indexOf('vpcC') + 11;
      assert.deepEqual([...bytes.subarray(at, at + 3)], [2, 2, 2]);
    }
  });

  it('of sound alone play one after the other without a gap', async () => {
    const part = await aPart('sound');
    const { init, media } = await asSegments(part, part.groups, part.bytes, STARTS_AT);
    const file = join(part.folder, 'all.mp4');
    writeFileSync(file, Buffer.concat([init, ...media]));
    const { errors, audio } = await decodeFile(file);
    assert.deepEqual([errors, audio.length >= 300], ['', true]);
    assert.ok(largestStep(audio) <= 22);
  });
});
