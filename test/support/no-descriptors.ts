/** The main module of a process that has no file descriptor left when it starts another program. */
import { closeSync, openSync } from 'node:fs';
import { FfmpegOpusTranscoder } from '../../server/ingest/rtmp/transcoders/opus-transcoder.js';
import { createSocketDirectory } from '../../server/media/embedded/relay/socket-directory.js';
import { MediaWorker } from '../../server/media/embedded/worker/media-worker.js';
import { WorkerProcess } from '../../server/media/embedded/worker/worker-process.js';
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

const scenarios: Readonly<Record<string, () => Promise<string>>> = {
  async sound() {
    const release = takeDescriptors();
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
  async still() {
    const release = takeDescriptors();
    const still = { type: 'image/webp', bytes: Buffer.alloc(10) } as const;
    const message = await jpegOf('ffmpeg', still).then(
      () => 'a picture',
      (error: Error) => error.message,
    );
    release();
    return message;
  },
  async recorder() {
    const release = takeDescriptors();
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
  async closing() {
    const release = takeDescriptors();
    const recorder = new RecorderProcess({ onLog() {} });
    recorder.start(aPartOrder('/nowhere'));
    await recorder.close();
    release();
    return 'it is closed';
  },
  async media() {
    const release = takeDescriptors();
    const sfu = { bindAddress: '127.0.0.1', udpPort: 0 };
    const message = await WorkerProcess.start({ sfu, relayPath: '/nowhere', sandbox: undefined }).then(
      () => 'a media process',
      (error: Error) => error.message,
    );
    release();
    return message;
  },
  async deadMedia() {
    const relaySockets = await createSocketDirectory();
    const failed = Promise.withResolvers<string>();
    const runsAgain = Promise.withResolvers<void>();
    let isDead = false;
    const worker = await MediaWorker.start({
      index: 0,
      sfu: { bindAddress: '127.0.0.1', udpPort: 0 },
      relaySockets,
      sandbox: undefined,
      onLog({ level, why }) {
        if (why !== undefined) failed.resolve(String(why));
        if (isDead && level === 'info') runsAgain.resolve();
      },
    });
    isDead = true;
    const release = takeDescriptors();
    process.kill(worker.pid!, 'SIGKILL');
    const why = await failed.promise;
    release();
    await runsAgain.promise;
    await worker.close();
    await relaySockets.remove();
    return why;
  },
};

const results: Record<string, string> = {};
for (const [name, run] of Object.entries(scenarios)) results[name] = await run().catch(String);
process.stdout.write(JSON.stringify(results));
