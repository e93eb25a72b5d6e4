/** The main module of a process that has no file descriptor left when it starts another program. */
import { closeSync, openSync } from 'node:fs';
import { FfmpegOpusTranscoder } from '../../server/ingest/rtmp/transcoders/opus-transcoder.js';
import { jpegOf } from '../../server/media/still/jpeg.js';
import { RecorderProcess } from '../../server/recording/recorder/recorder-process.js';
import { readAacConfig } from '../../server/rtmp/aac-config.js';
import { aPartOrder } from './recording/record-frames.js';

/** Opens files until there can be no more. @returns closes them */
function takeDescriptors(): () => void {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {
    return () => taken.forEach(closeSync);
  }
}

const scenarios: Readonly<Record<string, (release: () => void) => Promise<string>>> = {
  async sound(release) {
    const ended = Promise.withResolvers<string>();
    const config = readAacConfig(Buffer.from('1190', 'hex'))!;
    const transcoder = new FfmpegOpusTranscoder('ffmpeg', config, { onPacket() {}, onEnd: ended.resolve });
    transcoder.write(Buffer.alloc(100), 0);
    const reason = await ended.promise;
    transcoder.write(Buffer.alloc(100), 20);
    transcoder.close();
    release();
    return reason;
  },
  async still(release) {
    const still = { type: 'image/webp', bytes: Buffer.alloc(10) } as const;
    const message = await jpegOf('ffmpeg', still).then(
      () => 'a picture',
      (error: Error) => error.message,
    );
    release();
    return message;
  },
  async recorder(release) {
    const failed = Promise.withResolvers<void>();
    const running = Promise.withResolvers<void>();
    const recorder = new RecorderProcess({
      onLog: ({ level }) => (level === 'error' ? failed.resolve() : running.resolve()),
    });
    recorder.start(aPartOrder('/nowhere'));
    await failed.promise;
    release();
    await running.promise;
    await recorder.close();
    return 'it runs';
  },
  async closing(release) {
    const recorder = new RecorderProcess({ onLog() {} });
    recorder.start(aPartOrder('/nowhere'));
    await recorder.close();
    release();
    return 'it is closed';
  },
};

const result = await scenarios[process.argv[2]!]!(takeDescriptors());
process.stdout.write(result);
