import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../scripts/build.js';
import { RtpPeer } from '../test/support/media/rtp-peer.js';
import type { BenchOptions, BenchResult } from './bench-result.js';
import type { OurForwarder } from './media/forwarders/streamgate.js';
import { narrowVethPath, openVethPath, type NetworkPath } from './media/network-path.js';
import type { Arrived, SharedLink } from './media/shared-link.js';
import { SIMULCAST_SSRCS, SimulcastSender } from './media/simulcast-sender.js';
import { BenchProcess } from './support/bench-process.js';
import { progress } from './support/progress.js';

const LINK = { kbitPerSecond: 2_000, queueMs: 300 };
/** 1.6 Mbit/s in the best encoding, 0.5 in the middle one and 0.26 in the smallest. */
const PACKETS_PER_FRAME = 6;

interface Sizes {
  /** Before each measurement. */
  readonly settleMs: number;
  readonly measureMs: number;
  /** The same beside the download, whose share goes up and down. */
  readonly besideMs: number;
}
const FULL: Sizes = { settleMs: 10_000, measureMs: 10_000, besideMs: 40_000 };
const QUICK: Sizes = { settleMs: 3_000, measureMs: 2_000, besideMs: 4_000 };

/** A phase of the benchmark, in kbit/s. */
interface Phase {
  readonly media: number;
  readonly download: number;
  readonly framesPerSecond: number;
  readonly soundMissing: number;
  readonly delayP50Ms: number;
  readonly delayP99Ms: number;
}

/**
 * A viewer of a simulcast shares a link of 2 Mbit/s, into another network namespace, with a download over TCP of the
 * kernel: what the viewer gets alone, beside the download, and after it. Without the right to make namespaces it measures
 * nothing.
 */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  await build({ ifNeeded: true });
  const sizes = quick ? QUICK : FULL;
  const path = await openVethPath();
  const phases = path && (await measure(path, sizes).finally(() => path.close()));
  const half = LINK.kbitPerSecond / 2;
  return {
    name: 'competing-tcp',
    ratio: (phases?.beside.media ?? Number.NaN) / half,
    against: 'the bitrate of a viewer beside a download over TCP, and half of their link',
    also: phases
      ? [
          { ratio: phases.beside.download / half, against: 'the bitrate of the download, and half of the link' },
          { ratio: phases.after.media / phases.alone.media, against: 'the bitrate after the download, and before it' },
        ]
      : [],
    figures: Object.assign({}, ...Object.entries(phases ?? {}).map(([name, phase]) => figuresOf(name, phase))),
  };
}

async function measure(path: NetworkPath, { settleMs, measureMs, besideMs }: Sizes) {
  await narrowVethPath(LINK.kbitPerSecond, LINK.queueMs);
  const { serverAddress, viewerCommand: command } = path;
  const forwarder = await BenchProcess.start<OurForwarder>('media/forwarders/streamgate.ts', { args: [serverAddress] });
  const link = await BenchProcess.start<SharedLink>('media/shared-link.ts', { command });
  const downloads = await openDownloads(serverAddress);
  const simulcast = { simulcastSsrcs: SIMULCAST_SSRCS, address: serverAddress };
  const publisher = await RtpPeer.open({ role: 'publisher', ...simulcast });
  const sender = new SimulcastSender(publisher);
  sender.packetsPerFrame = PACKETS_PER_FRAME;
  const during = async (ms: number): Promise<Phase> => {
    await sleep(settleMs);
    await link.call('collect', null);
    const startedAt = performance.now();
    await sleep(ms);
    return phaseOf(await link.call('collect', null), performance.now() - startedAt);
  };
  try {
    await publisher.accept({ answer: await forwarder.call('publish', publisher.offer) });
    const offer = await link.call('open', { address: path.viewerAddress(0), serverAddress });
    await link.call('accept', await forwarder.call('view', offer));
    sender.start();
    progress('the viewer alone');
    const alone = await during(measureMs);
    progress('beside a download');
    await link.call('download', { address: serverAddress, port: (downloads.address() as AddressInfo).port });
    const beside = await during(besideMs);
    await link.call('endDownload', null);
    progress('after the download');
    const after = await during(measureMs);
    return { alone, beside, after };
  } finally {
    sender.stop();
    publisher.close();
    downloads.close();
    await Promise.all([forwarder.stop(), link.stop()]);
  }
}

/** Sends to everybody who connects, as fast as they take it. */
async function openDownloads(address: string): Promise<Server> {
  const chunk = Buffer.alloc(64 << 10);
  const server = createServer((socket) => {
    const send = (): void => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on('drain', send);
    socket.on('error', () => {});
    send();
  });
  server.listen(0, address);
  await once(server, 'listening');
  return server;
}

const phaseOf = (arrived: Arrived, ms: number): Phase => ({
  media: (arrived.mediaBytes * 8) / ms,
  download: (arrived.downloadBytes * 8) / ms,
  framesPerSecond: (arrived.frames * 1_000) / ms,
  soundMissing: arrived.soundMissing / (arrived.soundPackets + arrived.soundMissing),
  delayP50Ms: arrived.delayP50Ms,
  delayP99Ms: arrived.delayP99Ms,
});

const figuresOf = (name: string, phase: Phase): Record<string, number> => ({
  [`${name}MediaKbps`]: phase.media,
  [`${name}DownloadKbps`]: phase.download,
  [`${name}FramesPerSecond`]: phase.framesPerSecond,
  [`${name}SoundMissingPart`]: phase.soundMissing,
  [`${name}SoundDelayP50Ms`]: phase.delayP50Ms,
  [`${name}SoundDelayP99Ms`]: phase.delayP99Ms,
});
