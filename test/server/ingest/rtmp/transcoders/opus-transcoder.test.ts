import { FfmpegOpusTranscoder } from '../../../../../server/ingest/rtmp/transcoders/opus-transcoder.js';
import { ffmpegProgram } from '../../../../support/run-encoder.js';
import { opusTranscoderContract } from './opus-transcoder.contract.js';

opusTranscoderContract('ffmpeg', async () => {
  const ffmpeg = await ffmpegProgram();
  return (config, listener) => new FfmpegOpusTranscoder(ffmpeg, config, listener);
});
