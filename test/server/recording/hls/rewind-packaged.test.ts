import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import type { VideoCodec } from '../../../../server/media/media-engine.js';
import type { TappedFrame } from '../../../../server/media/tap.js';
import { finishedParts } from '../../../../server/recording/finished-parts.js';
import { Rewind } from '../../../../server/recording/hls/rewind.js';
import { finish } from '../../../../server/recording/packager/finish.js';
import { initSegment, segment } from '../../../../server/recording/packager/segment.js';
import type { RewindPart, RewindRecording } from '../../../../server/recording/rewind-source.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { decodeFile, type DecodedFrame } from '../../../support/recording/decode-file.js';
import { inOrder, soundFrames, videoFrames } from '../../../support/recording/encoded-media.js';
import { RecordedPart } from '../../../support/recording/record-frames.js';
import { aRewindRecording, FakeRewindSource } from '../../../support/rewind-recording.js';

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

const STARTS_AT = 1_700_000_000_000;
/** How long the broadcaster was away. */
const AWAY_MS = 20_000;
const newRewind = () => new Rewind({ source: new FakeRewindSource(), packager: { initSegment, segment } });

async function aPart(id: string, frames: readonly TappedFrame[], codec: VideoCodec = 'h264'): Promise<RewindPart> {
  const codecs = { video: { codec }, audio: { codec: 'opus' } } as const;
  // The disk of the test is slower than its clock.
  const part = new RecordedPart(await dataFolder(cleanup), { maxBacklog: { bytes: Infinity, ms: Infinity } });
  await part.play(frames, codecs);
  const { durationMs, bytes } = await part.stop();
  const { file, startsAt } = part.started!;
  return { id, file, startsAt, ...codecs, groups: part.groups, durationMs, bytes, isOpen: false };
}

/** The same recording when its file is ready. */
async function finished({ parts }: RewindRecording): Promise<{ file: string; recording: RewindRecording }> {
  const { file, groups, ...sums } = await finish(parts, join(await dataFolder(cleanup), 'recording'));
  const { startsAt, video, audio } = parts[0]!;
  const whole = { file, startsAt, video, audio, ...sums };
  return { file, recording: aRewindRecording({ isOpen: false, parts: finishedParts(whole, groups) }) };
}

/** Everything that the playlist lists, decoded. */
async function played(recording: RewindRecording) {
  const rewind = newRewind();
  const playlist = rewind.playlist(recording);
  const bodies: Buffer[] = [];
  for (const name of playlist.split('\n').filter((line) => line.endsWith('.m4s'))) {
    const [, partId, index] = /^(.+)-(\d+)\.m4s$/.exec(name)!;
    if (bodies.length === 0) bodies.push((await rewind.file(recording, partId!, undefined)).body);
    bodies.push((await rewind.file(recording, partId!, Number(index))).body);
  }
  const file = join(await dataFolder(cleanup), 'played.mp4');
  writeFileSync(file, Buffer.concat(bodies));
  return { playlist, seconds: rewind.seconds(recording), ...(await decodeFile(file)) };
}

const largestStep = (frames: readonly DecodedFrame[]): number =>
  Math.max(...frames.slice(1).map(({ timestampMs }, index) => timestampMs - frames[index]!.timestampMs));
/** The lines that say how long something is, and when it was. */
const times = (playlist: string): string[] => playlist.match(/^#EXT(?:INF|-X-DISC|-X-PROG|-X-TARG).*$/gm)!;

describe('the playlist of a broadcast that was interrupted', () => {
  it('has the same time line from the file that is ready as while it is live', async () => {
    const media = [await videoFrames({ codec: 'h264', seconds: 6 }), await soundFrames(6)];
    const parts = [
      await aPart('part-1', inOrder(STARTS_AT, ...media)),
      await aPart('part-2', inOrder(STARTS_AT + 6_000 + AWAY_MS, ...media)),
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

describe('the playlist of a broadcast whose camera was off for half a minute', () => {
  it('plays the sound through, with a segment and a target duration as long as that', async () => {
    const video = await videoFrames({ codec: 'h264', seconds: 4 });
    const camera = [...inOrder(STARTS_AT, video), ...inOrder(STARTS_AT + 34_000, video)];
    const part = await aPart('part-1', inOrder(0, camera, inOrder(STARTS_AT, await soundFrames(38))));
    const live = aRewindRecording({ parts: [part] });
    const { file, recording } = await finished(live);
    const inFile = await decodeFile(file);
    for (const { playlist, errors, video, audio } of [await played(live), await played(recording)]) {
      assert.match(playlist, /TARGETDURATION:32\n/);
      assert.match(playlist, /EXTINF:32\.0\d\d,/);
      assert.deepEqual([errors, video.length], ['', 240]);
      assert.ok(largestStep(audio) <= 22, String(largestStep(audio)));
    }
    assert.deepEqual([inFile.errors, inFile.video.length, largestStep(inFile.audio) <= 22], ['', 240, true]);
  });
});

describe('the playlist of a broadcast whose picture changes its size', () => {
  for (const codec of ['h264', 'vp9'] as const) {
    it(`gives every picture in its size in ${codec}, and so does the file that is ready`, async () => {
      const large = await videoFrames({ codec, seconds: 4, size: '640x360' });
      const small = await videoFrames({ codec, seconds: 4, size: '180x320' });
      const frames = inOrder(0, inOrder(STARTS_AT, large, await soundFrames(8)), inOrder(STARTS_AT + 4_000, small));
      const part = await aPart('part-1', frames, codec);
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
    });
  }
});
