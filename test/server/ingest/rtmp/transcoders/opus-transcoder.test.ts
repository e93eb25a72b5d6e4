import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FfmpegOpusTranscoder } from '../../../../../server/ingest/rtmp/transcoders/opus-transcoder.js';
import { readAacConfig } from '../../../../../server/rtmp/aac-config.js';
import { ffmpegProgram } from '../../../../support/run-encoder.js';
import { opusTranscoderContract } from './opus-transcoder.contract.js';

opusTranscoderContract('ffmpeg', async () => {
  const ffmpeg = await ffmpegProgram();
  return (config, listener) => new FfmpegOpusTranscoder(ffmpeg, config, listener);
});

it('ends with AAC that ffmpeg cannot be given, such as AAC-ELD', async () => {
  const ends: string[] = [];
  const config = readAacConfig(Buffer.from('f8e85000', 'hex'))!;
  const made = new FfmpegOpusTranscoder(await ffmpegProgram(), config, {
    onPacket() {},
    onEnd: (reason) => void ends.push(reason),
  });
  made.write(Buffer.alloc(100), 0);
  made.close();
  assert.deepEqual([config.profile, ends], ['other', ['AAC of this kind cannot be given to ffmpeg: f8e85000']]);
});
