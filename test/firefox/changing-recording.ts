import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Server from '../../server/index.ts';
import type * as Segments from '../../server/recording/packager/segment.ts';
import type { RewindPart, RewindRecording } from '../../server/recording/rewind-source.ts';
import { inOrder, soundFrames } from '../support/recording/encoded-media.ts';
import { recordFrames } from '../support/recording/record-frames.ts';
import { timeCodedFrames } from '../support/recording/time-coded-frames.ts';
import { TIME_CODE } from '../e2e/support/time-coded-broadcaster.ts';

const BUILT = join(import.meta.dirname, '../../server/dist/server');
const STREAM = 'recorded';
/** For how long there is sound alone, at the beginning and at the end. */
const ALONE_S = 6;
/** For how long the phone is held in one way. */
const TURNED_S = 4;

export interface ServerWithRecording {
  readonly origin: string;
  readonly streamName: string;
  /** A publish token of the stream. */
  readonly token: string;
  /** When the recorded broadcast began, in milliseconds since 1970. */
  readonly startsAt: number;
  close(): Promise<void>;
}

/**
 * The built server in this process, with a recording of the stream that may become longer. Its broadcaster began with
 * the microphone, turned the camera on, turned the phone, and turned the camera off.
 */
export async function startServerWithRecording(): Promise<ServerWithRecording> {
  const { createStreamServer, readConfig } = (await import(join(BUILT, 'index.js'))) as typeof Server;
  const { initSegment, segment } = (await import(join(BUILT, 'recording/packager/segment.js'))) as typeof Segments;
  const folder = await mkdtemp(join(tmpdir(), 'streamgate-changing-'));
  const startsAt = Date.now() - 2_000 * (ALONE_S + TURNED_S);
  const recordings: RewindRecording[] = [];
  const source = {
    findOpen: () => recordings[0],
    findLatest: async () => recordings[0],
    findById: async () => recordings[0],
  };
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    MEDIA_UDP_PORT: '0',
    DATA_DIR: folder,
    LOG_LEVEL: 'fatal',
  });
  const server = await createStreamServer(config, { recordings: { source, packager: { initSegment, segment } } });
  await server.accounts.ensureFirstAccount();
  const created = await server.tokens.create(
    { accountId: 'main', kind: 'publish' },
    { label: '', streams: [{ streamName: STREAM, isRegex: false }] },
  );
  recordings.push({
    id: 'r'.repeat(22),
    accountId: 'main',
    streamName: STREAM,
    sourceId: null,
    tokenId: created.id,
    startedAt: startsAt,
    isOpen: true,
    parts: await recordedParts(folder, startsAt),
  });
  const { port } = await server.listen();
  return {
    origin: `http://127.0.0.1:${port}`,
    streamName: STREAM,
    token: created.token,
    startsAt,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A camera that is turned on or off is another connection, and each connection is another part. */
async function recordedParts(folder: string, startsAt: number): Promise<RewindPart[]> {
  const pictures = (size: { readonly width: number; readonly height: number }, at: number) =>
    timeCodedFrames({ ...size, layout: TIME_CODE, seconds: TURNED_S, startsAt: startsAt + 1_000 * at });
  const sound = await soundFrames(ALONE_S);
  const on = startsAt + 1_000 * ALONE_S;
  const off = on + 2_000 * TURNED_S;
  const upright = await pictures({ width: 180, height: 320 }, ALONE_S + TURNED_S);
  const camera = [
    inOrder(on, await pictures({ width: 320, height: 180 }, ALONE_S)),
    inOrder(on + 1_000 * TURNED_S, upright),
    inOrder(on, await soundFrames(2 * TURNED_S)),
  ];
  const parts: RewindPart[] = [];
  for (const [frames, video] of [
    [inOrder(startsAt, sound), undefined],
    [inOrder(0, ...camera), { codec: 'vp9' }],
    [inOrder(off, sound), undefined],
  ] as const) {
    const id = `part-${parts.length + 1}`;
    const tracks = { video, audio: { codec: 'opus' } } as const;
    const { start, end, groups } = await recordFrames(await mkdtemp(join(folder, id)), frames, tracks);
    const { file, startsAt: began } = start;
    const { durationMs, bytes } = end;
    parts.push({
      id,
      file,
      startsAt: began,
      ...tracks,
      expectedVideo: 'vp9',
      groups,
      durationMs,
      bytes,
      isOpen: false,
    });
  }
  return parts;
}
