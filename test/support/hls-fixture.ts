import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFfmpeg, words } from './run-encoder.ts';

export interface HlsFixture {
  readonly init: Buffer;
  /** Of two seconds each. */
  readonly segments: readonly Buffer[];
}

/** A recorded minute of a test picture with its time, and a tone: fragmented MP4 with H264 and Opus. */
export async function hlsFixture(seconds = 60): Promise<HlsFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'streamgate-hls-'));
  try {
    const { code, output } = await runFfmpeg([
      ...words(`-f lavfi -i testsrc2=size=320x180:rate=10:duration=${seconds}`),
      ...words(`-f lavfi -i sine=sample_rate=48000:duration=${seconds}`),
      ...words('-c:v libx264 -preset ultrafast -tune zerolatency -pix_fmt yuv420p -g 20 -c:a libopus -strict -2'),
      ...words('-f hls -hls_time 2 -hls_segment_type fmp4 -hls_playlist_type vod'),
      '-hls_segment_filename',
      join(folder, '%03d.m4s'),
      join(folder, 'list.m3u8'),
    ]);
    if (code !== 0) throw new Error(`ffmpeg made no segments:\n${output}`);
    const names = (await readdir(folder)).filter((name) => name.endsWith('.m4s')).sort();
    const segments = await Promise.all(names.map((name) => readFile(join(folder, name))));
    return { init: await readFile(join(folder, 'init.mp4')), segments };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
