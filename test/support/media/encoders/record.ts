// Makes the recordings of this folder anew: `node --import ./scripts/load-typescript.js test/support/media/encoders/record.ts [NAME…]`.
// It needs the build, Chromium, Firefox, ffmpeg, and GStreamer with `webrtcbin` for Python (see README.md).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../../../server/config/config.js';
import { createStreamServer } from '../../../../server/composition/stream-server.js';
import { PublisherTransport } from '../../../../server/media/embedded/producer/publisher-transport.js';
import { readRtcp } from '../../../../server/media/embedded/rtcp/rtcp.js';
import { isRtcp, payloadType, ssrc } from '../../../../server/media/embedded/rtp/packet.js';
import { Sfu } from '../../../../server/media/embedded/worker/sfu.js';
import { readOffer } from '../../../../server/media/sdp/offer.js';
import { Cleanup } from '../../cleanup.js';
import { dataFolder } from '../../data-folder.js';
import { SfuEngine } from '../sfu-engine.js';
import { sfuListener } from '../sfu-listener.js';
import { until } from '../until.js';
import { writeRtpDump, type DumpedPacket } from '../rtp-dump.js';
import { openRecordableEncoders, type StartedEncoder } from './recordable-encoders.js';

const LENGTH_MS = 3_200;
/** Encoders that answer are asked for a keyframe this often. */
const KEYFRAME_MS = 1_000;

/** What arrives from one publisher. */
class Recorder {
  readonly packets: DumpedPacket[] = [];
  offer = '';
  #began = 0;
  #transport: PublisherTransport | undefined;

  receive(transport: PublisherTransport, packet: Buffer, now: number): void {
    this.#transport = transport;
    this.#began ||= now;
    if (this.#isRepair(packet)) return;
    this.packets.push({ at: now - this.#began, packet: Buffer.from(packet) });
  }

  get lengthMs(): number {
    return this.packets.at(-1)?.at ?? 0;
  }

  askForKeyframes(): void {
    for (const encoding of this.#transport?.source.video ?? []) this.#transport!.requestKeyframe(encoding);
  }

  /** Sender reports stand for a mapping of two clocks that does not change, so that one for each SSRC is enough. */
  get dump(): readonly DumpedPacket[] {
    const reported = new Set<number>();
    const reports: DumpedPacket[] = [];
    for (const dumped of this.packets) {
      if (!isRtcp(dumped.packet)) continue;
      const report = readRtcp(dumped.packet).find((message) => message.type === 'sender-report');
      if (!report || reported.has(report.ssrc)) continue;
      reported.add(report.ssrc);
      reports.push(dumped);
    }
    const media = this.packets.filter(({ at, packet }) => !isRtcp(packet) && at <= LENGTH_MS);
    const sent = new Set(media.map(({ packet }) => ssrc(packet)));
    const missing = [...sent].filter((each) => !reported.has(each));
    if (missing.length) throw new Error(`no sender report of ${missing.join()}`);
    return [...reports.map(({ packet }) => ({ at: 0, packet })), ...media];
  }

  /** RTX repeats what the recording has, or is padding of a probe. */
  #isRepair(packet: Buffer): boolean {
    if (isRtcp(packet)) return false;
    return readOffer(this.offer).media.some(({ retransmissions }) =>
      Object.values(retransmissions).includes(payloadType(packet)),
    );
  }
}

class RecordingEngine extends SfuEngine {
  recorder = new Recorder();

  override async publish(...[stream, offer, options]: Parameters<SfuEngine['publish']>) {
    this.recorder = new Recorder();
    this.recorder.offer = offer;
    return super.publish(stream, offer, options);
  }
}

const cleanup = new Cleanup();
const sfu = await Sfu.open({ udpPort: 0 }, sfuListener);
const engine = new RecordingEngine(sfu);
const { receive } = PublisherTransport.prototype;
PublisherTransport.prototype.receive = function (packet, arrival) {
  engine.recorder.receive(this, packet, arrival.now);
  receive.call(this, packet, arrival);
};
const DATA_DIR = await dataFolder(cleanup);
const server = await createStreamServer(readConfig({ HOST: '127.0.0.1', PORT: '0', DATA_DIR }), {
  engine,
  log: pino({ level: 'silent' }),
});
cleanup.after(() => server.close());
await server.accounts.ensureFirstAccount();
const { port } = await server.listen();
const streams = [{ streamName: '.*', isRegex: true }];
const { token } = await server.tokens.create({ accountId: 'main', kind: 'publish' }, { label: '', streams });
const encoders = openRecordableEncoders({ origin: `http://127.0.0.1:${port}`, token }, cleanup);

const wanted = process.argv.slice(2);
try {
  for (const [name, start] of Object.entries(encoders)) {
    if (wanted.length && !wanted.includes(name)) continue;
    await record(name, start);
  }
} finally {
  await cleanup.run();
}
process.exit();

async function record(name: string, start: (streamName: string) => Promise<StartedEncoder>): Promise<void> {
  const encoder = await start(name);
  await until('media arrives', () => engine.recorder.packets.length > 0);
  const { recorder } = engine;
  for (let asked = 1; recorder.lengthMs < LENGTH_MS; asked++) {
    await until('it goes on', () => recorder.lengthMs >= Math.min(asked * KEYFRAME_MS, LENGTH_MS));
    recorder.askForKeyframes();
  }
  const dumped = async () => {
    try {
      return recorder.dump;
    } catch {
      return undefined;
    }
  };
  await until('all sender reports are there', async () => (await dumped()) !== undefined);
  await encoder.stop();
  const file = writeRtpDump(recorder.dump);
  writeFileSync(join(import.meta.dirname, `${name}.rtpdump`), file);
  writeFileSync(join(import.meta.dirname, `${name}.sdp`), recorder.offer.replaceAll(/^a=candidate:.*\r?\n/gm, ''));
  const layers = new Set(recorder.dump.map(({ packet }) => (isRtcp(packet) ? 0 : ssrc(packet)))).size - 1;
  process.stdout.write(`${name}: ${file.length} bytes, ${layers} SSRCs\n`);
}
