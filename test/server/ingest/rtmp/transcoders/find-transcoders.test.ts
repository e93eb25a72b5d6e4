import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import {
  findTranscoders,
  type TranscoderConfig,
} from '../../../../../server/ingest/rtmp/transcoders/find-transcoders.js';
import { importNodeAv } from '../../../../../server/ingest/rtmp/transcoders/node-av.js';
import { NodeAvOpusTranscoder } from '../../../../../server/ingest/rtmp/transcoders/node-av-opus-transcoder.js';
import { FfmpegOpusTranscoder } from '../../../../../server/ingest/rtmp/transcoders/opus-transcoder.js';
import { X264Transcoder } from '../../../../../server/ingest/rtmp/transcoders/x264-transcoder.js';
import { readAacConfig } from '../../../../../server/rtmp/aac-config.js';
import { ffmpegProgram } from '../../../../support/run-encoder.js';

const AAC = readAacConfig(Buffer.from([0x11, 0x90]))!;
const AVC = {
  sequenceParameterSets: [Buffer.from([0x67, 0x64, 0x00, 0x2a, 0xac])],
  pictureParameterSets: [Buffer.from([0x68, 0xee])],
  lengthBytes: 4,
};
const LISTENER = { onPacket() {}, onFrame() {}, onEnd() {} };

class Nothing {
  alloc(): void {}
  [Symbol.dispose](): void {}
}
const NODE_AV = {
  Codec: class {},
  CodecContext: Nothing,
  Packet: Nothing,
  Frame: Nothing,
  Rational: Nothing,
  SoftwareResampleContext: Nothing,
};

describe('the transcoders of a machine', () => {
  let folder: string;
  let ffmpeg: string;
  let messages: string[];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'streamgate-'));
    ffmpeg = await ffmpegProgram();
  });
  beforeEach(() => {
    messages = [];
  });
  after(() => rm(folder, { recursive: true }));

  const log = pino({}, { write: (line: string) => void messages.push(JSON.parse(line).msg) });
  const find = (config: Partial<TranscoderConfig>, nodeAv?: unknown) =>
    findTranscoders({ ffmpegPath: ffmpeg, rtmpTranscode: 'off', ...config }, { log, loadNodeAv: async () => nodeAv });
  const quiet = () => {
    const levels: number[] = [];
    return {
      levels,
      av: {
        ...NODE_AV,
        Log: class {
          static setLevel = (level: number) => void levels.push(level);
        },
      },
    };
  };

  it('are ffmpeg for the sound, and none for the picture', async () => {
    const { openOpusTranscoder, openPictureTranscoder } = await find({});
    const opened = openOpusTranscoder!(AAC, LISTENER);
    opened.close();
    assert.ok(opened instanceof FfmpegOpusTranscoder);
    assert.equal(openPictureTranscoder, undefined);
    assert.deepEqual(messages, []);
  });

  it('are x264 for the picture where the operator allows it', async () => {
    const { openPictureTranscoder } = await find({ rtmpTranscode: 'x264' });
    const opened = openPictureTranscoder!(AVC, 0, LISTENER);
    opened.close();
    assert.ok(opened instanceof X264Transcoder);
  });

  it('are none without ffmpeg, and the log says what that means', async () => {
    const found = await find({ ffmpegPath: join(folder, 'nothing'), rtmpTranscode: 'x264' });
    assert.deepEqual(found, { openOpusTranscoder: undefined, openPictureTranscoder: undefined });
    assert.deepEqual(messages, [
      'encoders with B-frames are refused: install ffmpeg, or set FFMPEG_PATH',
      'encoders with AAC are live without sound: install ffmpeg, or set FFMPEG_PATH',
    ]);
  });

  it('are node-av for the sound if it is installed, also without ffmpeg, and it writes nothing of its own', async () => {
    const { av, levels } = quiet();
    const { openOpusTranscoder } = await find({ ffmpegPath: join(folder, 'nothing') }, av);
    const opened = openOpusTranscoder!(AAC, LISTENER);
    opened.close();
    assert.ok(opened instanceof NodeAvOpusTranscoder);
    assert.deepEqual([messages, levels], [['node-av turns the AAC of encoders into Opus'], [-8]]);
  });

  it('are ffmpeg if node-av has another version or cannot be loaded', async () => {
    const { Rational: _, ...other } = quiet().av;
    const broken = () => Promise.reject(new Error('no binary for this system'));
    for (const loadNodeAv of [async () => other, broken]) {
      const { openOpusTranscoder } = await findTranscoders(
        { ffmpegPath: ffmpeg, rtmpTranscode: 'off' },
        { log, loadNodeAv },
      );
      const opened = openOpusTranscoder!(AAC, LISTENER);
      opened.close();
      assert.ok(opened instanceof FfmpegOpusTranscoder);
      assert.match(messages.at(-1)!, /cannot be used/);
    }
  });

  it('are looked for as packages are', async () => {
    assert.equal(await importNodeAv('a-package-that-nobody-installed'), undefined);
    const file = join(folder, 'found.mjs');
    await writeFile(file, 'export const isFound = true;');
    assert.deepEqual({ ...((await importNodeAv(file)) as object) }, { isFound: true });
    const broken = join(folder, 'broken.mjs');
    await writeFile(broken, 'throw new Error("no binary");');
    await assert.rejects(importNodeAv(broken), /no binary/);
  });
});
