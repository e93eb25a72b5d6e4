import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { afterEach, describe, it } from 'node:test';
import type { VideoCodec } from '../../../../server/media/engine/media-track.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { until } from '../../../support/media/until.js';
import { createFile, type OpenFileToAppend } from '../../../../server/recording/recorder/append-file.js';
import { decodeFile } from '../../../support/recording/decode-file.js';
import { inOrder, soundFrames, videoFrames } from '../../../support/recording/encoded-media.js';
import { RecordedPart, recordFrames } from '../../../support/recording/record-frames.js';

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

const STARTS_AT = 1_700_000_000_000;
const WRITTEN_AT_ONCE = 64 * 1_024;
const opus = { codec: 'opus' } as const;

describe('a part', () => {
  for (const codec of ['h264', 'vp8', 'vp9', 'av1'] satisfies VideoCodec[]) {
    it(`with ${codec} and sound is decoded without an error, with all its frames`, async () => {
      const folder = await dataFolder(cleanup);
      const [video, sound] = [await videoFrames({ codec, seconds: 6 }), await soundFrames(6)];
      const frames = inOrder(STARTS_AT, video, sound);
      const { start, end, groups } = await recordFrames(folder, frames, { video: { codec }, audio: opus });
      assert.deepEqual(start, {
        partId: 'part',
        file: `${folder}/part-1.${codec === 'vp8' ? 'webm' : 'mkv'}`,
        video: { codec, width: 320, height: 180 },
        audio: opus,
        startsAt: STARTS_AT,
      });
      assert.deepEqual(
        groups.map(({ timestampMs }) => timestampMs),
        [0, 2_000, 4_000],
      );
      assert.deepEqual([end.reason, end.bytes], ['stopped', statSync(start.file).size]);
      const decoded = await decodeFile(start.file);
      assert.equal(decoded.errors, '');
      assert.deepEqual([decoded.video.length, decoded.audio.length], [video.length, sound.length]);
      const times = (frames: readonly { timestampMs: number }[]) =>
        frames.map(({ timestampMs }) => Math.round(timestampMs));
      assert.deepEqual(times(decoded.video), times(video));
      assert.ok(Math.abs(end.durationMs - 6_000) <= 34, `${end.durationMs}`);
    });
  }

  it('with sound alone begins at once, in groups', async () => {
    const folder = await dataFolder(cleanup);
    const sound = await soundFrames(5);
    const { start, groups } = await recordFrames(folder, inOrder(STARTS_AT, sound), { video: undefined, audio: opus });
    assert.deepEqual([start.file, start.video], [`${folder}/part-1.webm`, undefined]);
    assert.deepEqual(
      groups.map(({ timestampMs }) => Math.round(timestampMs / 100)),
      [0, 20, 40],
    );
    const decoded = await decodeFile(start.file);
    assert.deepEqual([decoded.errors, decoded.audio.length], ['', sound.length]);
  });

  it('begins with the sound when no picture comes for ten seconds, says in which codec one would come, and ends then', async () => {
    const folder = await dataFolder(cleanup);
    const [sound, video] = [await soundFrames(12), await videoFrames({ codec: 'vp9', seconds: 1 })];
    const part = new RecordedPart(folder);
    await part.play(inOrder(STARTS_AT, sound), { video: { codec: 'vp9' }, audio: opus });
    await until('the sound is written', () => part.started !== undefined);
    await part.play(inOrder(STARTS_AT + 12_000, video));
    const { reason, durationMs } = await part.ended;
    assert.deepEqual(part.started, {
      partId: 'part',
      file: `${folder}/part-1.webm`,
      video: undefined,
      audio: opus,
      announcedVideo: 'vp9',
      startsAt: STARTS_AT,
    });
    assert.deepEqual([reason, Math.round(durationMs / 100)], ['codec_changed', 120]);
  });

  it('whose picture changes its size stays one file', async () => {
    const folder = await dataFolder(cleanup);
    const small = await videoFrames({ codec: 'h264', seconds: 2 });
    const large = await videoFrames({ codec: 'h264', seconds: 2, size: '640x360' });
    const frames = [...inOrder(STARTS_AT, small), ...inOrder(STARTS_AT + 2_000, large)];
    const { start, progress } = await recordFrames(folder, frames, { video: { codec: 'h264' }, audio: undefined });
    assert.deepEqual([progress[0]!.width, progress.at(-1)!.width, progress.at(-1)!.height], [320, 640, 360]);
    const { errors, video } = await decodeFile(start.file);
    assert.equal(errors, '');
    assert.deepEqual([video.length, video.filter(({ width }) => width === 640).length], [120, 60]);
  });

  it('goes on without sound when the sound stops arriving', async () => {
    const folder = await dataFolder(cleanup);
    const video = await videoFrames({ codec: 'vp8', seconds: 6 });
    const part = new RecordedPart(folder);
    await part.play(inOrder(STARTS_AT, video, await soundFrames(1)), { video: { codec: 'vp8' }, audio: opus });
    // Before it is stopped: nothing waits for the sound.
    await until('the video is on disk', () => (part.progress.at(-1)?.durationMs ?? 0) > 4_000);
    await part.stop();
    assert.equal((await decodeFile(part.started!.file)).video.length, video.length);
  });

  it('on a disk that takes nothing says so at once, leaves frames out, and can be read when the disk works again', async () => {
    const folder = await dataFolder(cleanup);
    const disk = Promise.withResolvers<void>();
    let writes = 0;
    const openFile: OpenFileToAppend = async (path) => {
      const file = await createFile(path);
      const write = async (data: Uint8Array) => {
        if ((writes += 1) > 2) await disk.promise;
        // On a busy machine much waits for the disk at once: it must not be written before the disk stops.
        return await file.write(data.subarray(0, WRITTEN_AT_ONCE));
      };
      const { truncate, datasync, close } = file;
      const rest = { truncate: truncate.bind(file), datasync: datasync.bind(file), close: close.bind(file) };
      return { write, ...rest };
    };
    const part = new RecordedPart(folder, { openFile });
    const video = await videoFrames({ codec: 'h264', seconds: 20 });
    const frames = inOrder(STARTS_AT, video);
    await part.play(frames, { video: { codec: 'h264' }, audio: undefined });
    await until('it says so', () => part.progress.some(({ isDiskSlow }) => isDiskSlow));
    const reports = part.progress.length;
    disk.resolve();
    const later = await videoFrames({ codec: 'h264', seconds: 4 });
    await until('the disk works again', () => part.progress.length > reports);
    await part.play(inOrder(STARTS_AT + 20_000, later));
    await part.stop();
    const decoded = await decodeFile(part.started!.file);
    assert.equal(decoded.errors, '');
    assert.ok(
      decoded.video.length > 200 && decoded.video.length < video.length + later.length,
      `${decoded.video.length}`,
    );
  });

  it('that never had a frame has no file', async () => {
    const part = new RecordedPart(await dataFolder(cleanup));
    part.tap.onSource({ video: { codec: 'vp8' }, audio: opus });
    assert.deepEqual(await part.stop(), {
      partId: 'part',
      reason: 'stopped',
      detail: undefined,
      bytes: 0,
      durationMs: 0,
    });
    assert.deepEqual([part.started, part.isTapClosed], [undefined, true]);
  });
});
