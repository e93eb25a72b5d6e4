import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import type { VideoCodec } from '../../../../server/media/engine/media-track.js';
import type { TappedFrame, TapTracks } from '../../../../server/media/engine/tap.js';
import { finishedParts } from '../../../../server/recording/finished-parts.js';
import { Rewind } from '../../../../server/recording/hls/rewind.js';
import { finish } from '../../../../server/recording/packager/finish.js';
import { initSegment, segment } from '../../../../server/recording/packager/segment.js';
import type { RewindPart, RewindRecording } from '../../../../server/recording/rewind-source.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { until } from '../../../support/media/until.js';
import { decodeFile, type DecodedFile, type DecodedFrame } from '../../../support/recording/decode-file.js';
import { inOrder, soundFrames, videoFrames } from '../../../support/recording/encoded-media.js';
import { RecordedPart } from '../../../support/recording/record-frames.js';
import { aRewindRecording, FakeRewindSource } from '../../../support/rewind-recording.js';

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

const STARTS_AT = 1_700_000_000_000;
/** How long the broadcaster was away. */
const AWAY_MS = 20_000;
const CALLER = { network: '192.0.2.0/24', isGone: () => false };
const newRewind = () => new Rewind({ source: new FakeRewindSource(), packager: { initSegment, segment } });

const codecsOf = (codec: VideoCodec) => ({ video: { codec }, audio: { codec: 'opus' } }) as const;
const SOUND_ALONE = { video: undefined, audio: { codec: 'opus' } } as const;

async function aPart(id: string, frames: readonly TappedFrame[], codecs: TapTracks): Promise<RewindPart> {
  const part = await newPart();
  await part.play(frames, codecs);
  const { durationMs, bytes } = await part.stop();
  const { file, startsAt } = part.started!;
  return { id, file, startsAt, ...codecs, groups: part.groups, durationMs, bytes, isOpen: false };
}

/** The disk of the test is slower than its clock. */
async function newPart(): Promise<RecordedPart> {
  const part = new RecordedPart(await dataFolder(cleanup), { maxBacklog: { bytes: Infinity, ms: Infinity } });
  cleanup.after(async () => void (await part.stop()));
  return part;
}

/** The same recording when its file is ready. */
async function finished({ parts }: RewindRecording): Promise<{ file: string; recording: RewindRecording }> {
  const { file, groups, ...sums } = await finish(parts, join(await dataFolder(cleanup), 'recording'));
  const [video] = parts.flatMap((part) => part.video ?? []);
  const [audio] = parts.flatMap((part) => part.audio ?? []);
  const whole = { file, startsAt: parts[0]!.startsAt, video, audio, ...sums };
  return { file, recording: aRewindRecording({ isOpen: false, parts: finishedParts(whole, groups) }) };
}

/** Everything that the playlist lists, decoded. */
async function played(recording: RewindRecording) {
  const rewind = newRewind();
  const playlist = String(await rewind.playlist(recording, 'playlist.m3u8'));
  const decoded: DecodedFile[] = [];
  for (const run of playlist.split('#EXT-X-MAP:').slice(1)) {
    const bodies: Buffer[] = [];
    for (const [name] of run.matchAll(/[\w-]+\.(?:mp4|m4s)/g)) {
      bodies.push((await rewind.file(recording, name, CALLER)).body);
    }
    const file = join(await dataFolder(cleanup), 'played.mp4');
    writeFileSync(file, Buffer.concat(bodies));
    decoded.push(await decodeFile(file));
  }
  return {
    playlist,
    seconds: rewind.seconds(recording),
    /** One for each initialization segment. */
    runs: decoded,
    errors: decoded.map(({ errors }) => errors).join(''),
    video: decoded.flatMap(({ video }) => video),
    audio: decoded.flatMap(({ audio }) => audio),
  };
}

/** The size that the header of the track has in an initialization segment: players draw all pictures in its shape. */
async function sizeIn(recording: RewindRecording, name: string): Promise<string> {
  const { body } = await newRewind().file(recording, name, CALLER);
  // ISO/IEC 14496-12 section 8.3.2: 16.16 at the end of the box.
  const start = body.indexOf('tkhd') - 4;
  const end = start + body.readUInt32BE(start);
  return `${body.readUInt16BE(end - 8)}x${body.readUInt16BE(end - 4)}`;
}

const largestStep = (frames: readonly DecodedFrame[]): number =>
  Math.max(...frames.slice(1).map(({ timestampMs }, index) => timestampMs - frames[index]!.timestampMs));
/** The lines that say how long something is, and when it was. */
const times = (playlist: string): string[] => playlist.match(/^#EXT(?:INF|-X-DISC|-X-PROG|-X-TARG).*$/gm)!;

describe('the playlist of a broadcast that was interrupted', () => {
  it('has the same time line from the file that is ready as while it is live', async () => {
    const media = [await videoFrames({ codec: 'h264', seconds: 6 }), await soundFrames(6)];
    const parts = [
      await aPart('part-1', inOrder(STARTS_AT, ...media), codecsOf('h264')),
      await aPart('part-2', inOrder(STARTS_AT + 6_000 + AWAY_MS, ...media), codecsOf('h264')),
    ];
    const live = await played(aRewindRecording({ parts }));
    const { file, recording } = await finished(aRewindRecording({ parts }));
    const after = await played(recording);

    assert.deepEqual(times(after.playlist), times(live.playlist));
    assert.equal(live.playlist.match(/DISCONTINUITY/g)?.length, 1);
    assert.ok(Math.abs(after.seconds - 12) < 0.1, String(after.seconds));
    for (const { errors, video, audio } of [live, after]) {
      assert.deepEqual([errors, video.length], ['', 360]);
      assert.ok(largestStep(video) <= 60 && largestStep(audio) <= 60, `${largestStep(video)} ${largestStep(audio)}`);
    }
    // The file keeps the time when nobody was there.
    assert.ok(largestStep((await decodeFile(file)).video) > AWAY_MS);
  });
});

describe('the playlist of a broadcast whose camera was off for twenty seconds', () => {
  /** Four seconds with a picture, twenty without, and four with one again. */
  async function framesOf(codec: VideoCodec) {
    const video = await videoFrames({ codec, seconds: 4 });
    const camera = [...inOrder(STARTS_AT, video), ...inOrder(STARTS_AT + 24_000, video)];
    return inOrder(0, camera, inOrder(STARTS_AT, await soundFrames(28)));
  }

  for (const codec of ['h264', 'vp9', 'av1'] as const) {
    it(`has no segment longer than four seconds, and plays sound and picture through, in ${codec}`, async () => {
      const live = aRewindRecording({ parts: [await aPart('part-1', await framesOf(codec), codecsOf(codec))] });
      const { file, recording } = await finished(live);
      const [before, after] = [await played(live), await played(recording)];
      assert.deepEqual(times(after.playlist), times(before.playlist));
      for (const { playlist, errors, video, audio } of [before, after]) {
        assert.match(playlist, /TARGETDURATION:4\n/);
        assert.equal(errors, '');
        // A keyframe at the start of each segment without a picture of its own.
        assert.ok(video.length > 240 && video.length <= 250, String(video.length));
        assert.ok(
          largestStep(video) <= 4_000 && largestStep(audio) <= 22,
          `${largestStep(video)} ${largestStep(audio)}`,
        );
      }
      const inFile = await decodeFile(file);
      assert.deepEqual([inFile.errors, inFile.video.length, largestStep(inFile.audio) <= 22], ['', 240, true]);
    });
  }

  it('goes on while the camera is off', async () => {
    const part = await newPart();
    const codecs = codecsOf('h264');
    const frames = await framesOf('h264');
    for (const [from, to] of [
      [0, 8],
      [8, 14],
      [14, 22],
    ] as const) {
      const isNow = ({ timestampMs }: TappedFrame): boolean =>
        timestampMs >= STARTS_AT + 1_000 * from && timestampMs < STARTS_AT + 1_000 * to;
      await part.play(frames.filter(isNow), from === 0 ? codecs : undefined);
      await until('all is on disk', () => (part.progress.at(-1)?.durationMs ?? 0) > 1_000 * (to - 2));
      const { bytes, durationMs } = part.progress.at(-1)!;
      const { file, startsAt } = part.started!;
      const open = { id: '1', file, startsAt, ...codecs, groups: part.groups, durationMs, bytes, isOpen: true };
      const listed = newRewind().seconds(aRewindRecording({ parts: [open] }));
      assert.ok(listed > to - 4, `${listed} of ${to} seconds`);
    }
  });
});

describe('the playlist of a broadcast whose camera and microphone are turned on and off', () => {
  /** Four seconds of sound, of both, of pictures, and of sound again, with a moment between them. */
  async function partsOf(codec: VideoCodec): Promise<RewindPart[]> {
    const [video, sound] = [await videoFrames({ codec, seconds: 4 }), await soundFrames(4)];
    const { video: both } = codecsOf(codec);
    const parts = [
      await aPart('part-1', inOrder(STARTS_AT, sound), SOUND_ALONE),
      await aPart('part-2', inOrder(STARTS_AT + 4_200, video, sound), codecsOf(codec)),
      await aPart('part-3', inOrder(STARTS_AT + 8_400, video), { video: both, audio: undefined }),
      await aPart('part-4', inOrder(STARTS_AT + 12_600, sound), SOUND_ALONE),
    ];
    return parts.map((part) => (part.video ? part : Object.assign(part, { expectedVideo: codec })));
  }

  for (const codec of ['h264', 'vp9', 'av1'] as const) {
    it(`has picture and sound in every segment, live and from the file that is ready, in ${codec}`, async () => {
      const live = aRewindRecording({ parts: await partsOf(codec) });
      const { file, recording } = await finished(live);
      const [before, after] = [await played(live), await played(recording)];
      assert.deepEqual(times(after.playlist), times(before.playlist));
      for (const { runs, seconds, errors, video, audio } of [before, after]) {
        assert.equal(errors, '');
        assert.equal(runs.length, 4);
        for (const run of runs) assert.ok(run.video.length > 0 && run.audio.length > 150, `${run.video.length}`);
        // One black picture in each segment of the two parts with sound alone.
        assert.deepEqual([runs[0]!.video.length, video.length, video[0]!.width], [3, 246, 160]);
        assert.ok(Math.abs(seconds - 16) < 0.2, String(seconds));
        assert.ok(largestStep(video) <= 2_100 && largestStep(audio) <= 60, `${largestStep(audio)}`);
      }
      const inFile = await decodeFile(file);
      assert.deepEqual([inFile.errors, inFile.video.length, inFile.video[0]!.timestampMs], ['', 240, 4_200]);
      assert.ok(Math.abs(inFile.durationMs! - 16_600) < 60, String(inFile.durationMs));
    });
  }

  it('stays as it was when a picture comes in another codec than the expected one: it ends there', async () => {
    const [sound, both] = (await partsOf('vp9')).slice(0, 2);
    const expected = { ...sound!, expectedVideo: 'h264' as const };
    const alone = await played(aRewindRecording({ isOpen: false, parts: [expected] }));
    const changed = await played(aRewindRecording({ parts: [expected, both!] }));
    assert.deepEqual(changed, alone);
  });
});

describe('the playlist of a broadcast of sound alone', () => {
  it('has segments of two seconds from the start, also in the file that is ready', async () => {
    const parts = [await aPart('part-1', inOrder(STARTS_AT, await soundFrames(9)), SOUND_ALONE)];
    const live = aRewindRecording({ parts });
    const { recording } = await finished(live);
    for (const { playlist, errors, audio } of [await played(live), await played(recording)]) {
      const seconds = [...playlist.matchAll(/EXTINF:([\d.]+)/g)].map(([, one]) => Number(one));
      assert.ok(seconds.length === 5 && Math.max(...seconds) < 2.03, seconds.join(' '));
      assert.ok(errors === '' && largestStep(audio) <= 22, `${errors} ${largestStep(audio)}`);
    }
  });
});

describe('the playlist of a broadcast whose picture changes its size', () => {
  for (const codec of ['h264', 'vp9'] as const) {
    it(`gives every picture in its size in ${codec}, and so does the file that is ready`, async () => {
      const large = await videoFrames({ codec, seconds: 4, size: '640x360' });
      const small = await videoFrames({ codec, seconds: 4, size: '180x320' });
      const frames = inOrder(0, inOrder(STARTS_AT, large, await soundFrames(8)), inOrder(STARTS_AT + 4_000, small));
      const part = await aPart('part-1', frames, codecsOf(codec));
      const live = aRewindRecording({ parts: [part] });
      const ready = await finished(live);
      for (const { errors, video } of [
        await played(live),
        await played(ready.recording),
        await decodeFile(ready.file),
      ]) {
        const widths = video.map(({ width }) => width);
        assert.deepEqual([errors, widths.length, widths.lastIndexOf(640), widths.indexOf(180)], ['', 240, 119, 120]);
      }
      for (const recording of [live, ready.recording]) {
        const { playlist } = await played(recording);
        const [, large, small] = /MAP:URI="(.+)"[^]+DISCONTINUITY\n#EXT-X-MAP:URI="(.+)"/.exec(playlist)!;
        assert.deepEqual([await sizeIn(recording, large!), await sizeIn(recording, small!)], ['640x360', '180x320']);
      }
    });
  }
});
