import type { LiveStreamBody } from '../../../src/wire/management/live-stream.js';
import type { CliCommand } from '../command.js';
import { writeBytes } from '../files.js';
import { callServer } from '../management/management-calls.js';

export const streamLiveCommand: CliCommand = {
  name: 'stream live',
  summary: 'list what is live on the running server: since when, viewers, bitrate and size of the video',
  async run(invocation) {
    const streams = await callServer(invocation, (client) => client.streams.live());
    return { data: { streams }, text: streams.map(lineOf).join('\n'), note: `${streams.length} live` };
  },
};

export const streamStillCommand: CliCommand = {
  name: 'stream still',
  summary:
    'save a picture of a stream of the running server: a WebP image, or of other codecs than VP8 an MP4 file; or JPEG',
  operands: ['STREAM_NAME', 'FILE'],
  options: {
    source: { value: 'ID', description: 'of a source; absent: the main source' },
    jpeg: { description: 'a JPEG image, which needs ffmpeg on the server' },
  },
  async run(invocation) {
    const {
      operands: [streamName = '', path = ''],
      options,
    } = invocation;
    const still = await callServer(invocation, (client) =>
      client.streams.still(streamName, {
        sourceId: options.one('source'),
        format: options.one('jpeg') ? 'jpeg' : undefined,
      }),
    );
    await writeBytes(path, new Uint8Array(await still.arrayBuffer()));
    const { type, size } = still;
    return { data: { file: path, type, bytes: size }, text: `${path}\t${type}\t${size} bytes` };
  },
};

export const streamStopCommand: CliCommand = {
  name: 'stream stop',
  summary:
    'end a broadcast on the running server (STREAM: account/name); disable its token first to keep it from coming back',
  operands: ['STREAM'],
  async run(invocation) {
    const {
      operands: [streamId = ''],
    } = invocation;
    const level = await callServer(invocation, (client) => client.streams.stop(streamId));
    return {
      data: { stoppingLevel: level },
      text: level === 'None' ? 'Nothing was live.' : `${streamId} was stopped.`,
    };
  },
};

export const streamStopAllCommand: CliCommand = {
  name: 'stream stop all',
  summary: 'end every broadcast of the account on the running server',
  async run(invocation) {
    const level = await callServer(invocation, (client) => client.streams.stopAll());
    return {
      data: { stoppingLevel: level },
      text: level === 'None' ? 'Nothing was live.' : 'Every broadcast was stopped.',
    };
  },
};

function lineOf({ streamName, liveSince, viewers, sources }: LiveStreamBody): string {
  const shown = sources.map(({ sourceId, videoBitrate, encodings, reception, notices }) => {
    const sizes = encodings.filter(({ active }) => active).map(({ width, height }) => `${width}x${height}`);
    const codecs = [reception?.videoCodec, reception?.audioCodec].filter(Boolean).join('+');
    const loss = reception?.loss ? `${(reception.loss * 100).toFixed(1)} % lost` : '';
    const facts = [sourceId ?? 'main', ...sizes, `${Math.round(videoBitrate / 1000)} kbit/s`, codecs, loss, ...notices];
    return facts.filter(Boolean).join(' ');
  });
  return [streamName, liveSince, `${viewers} viewers`, ...shown].join('\t');
}
