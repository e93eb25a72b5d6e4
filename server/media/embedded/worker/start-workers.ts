import { MediaError } from '../../engine/media-error.js';
import { createSocketDirectory, type SocketDirectory } from '../relay/socket-directory.js';
import { libraryVersions } from '../transport/library-versions.js';
import { missingUdpBuffers } from '../transport/udp-buffers.js';
import type { EngineLogEntry } from './engine-log-entry.js';
import { MediaWorker } from './media-worker.js';
import type { SfuOptions } from './sfu.js';
import { workerSandbox } from './worker-sandbox.js';

export interface StartWorkersOptions extends SfuOptions {
  /** How many worker processes carry media. They use the given ports and the ports that follow. Absent: one. */
  readonly workers?: number | undefined;
  readonly onLog?: ((entry: EngineLogEntry) => void) | undefined;
  /** Whether the worker processes may do only what they need. Absent: true. */
  readonly sandboxed?: boolean | undefined;
  /** The folder of the kernel's network settings. Absent: that of Linux. */
  readonly kernelSettings?: string | undefined;
  /** How often each process is asked whether it works. Absent: as usual. */
  readonly pingEveryMs?: number | undefined;
}

export interface StartedWorkers {
  readonly workers: readonly MediaWorker[];
  /** The version of the library that decrypts what peers send. */
  readonly crypto: string;
  /** Remove it after the workers are closed. */
  readonly relaySockets: SocketDirectory;
}

/**
 * Starts the worker processes: all of them, or none.
 * @throws {MediaError} `engine_unavailable` with the reason: a port is in use, or this machine does not have the address
 */
export async function startWorkers(options: StartWorkersOptions): Promise<StartedWorkers> {
  const { workers: count = 1, onLog = () => {}, sandboxed = true, kernelSettings, pingEveryMs, ...sfu } = options;
  if (!sandboxed) onLog({ level: 'warn', message: 'the media engine runs without its sandbox' });
  const sysctl = await missingUdpBuffers(kernelSettings);
  if (sysctl.length) {
    const message = 'the kernel limits the buffers for media: raise the limits with sysctl -w';
    onLog({ level: 'warn', message, sysctl });
  }
  const relaySockets = await createSocketDirectory().catch(noSocketDirectory);
  const sandbox = sandboxed ? workerSandbox(relaySockets.folder) : undefined;
  const started: Promise<MediaWorker>[] = [];
  try {
    for (let index = 0; index < count; index++) {
      const ports = portsOf(index, sfu);
      started.push(MediaWorker.start({ index, sfu: { ...sfu, ...ports }, relaySockets, sandbox, pingEveryMs, onLog }));
      // Two workers that look for a free port at the same time may find the same port.
      if (!sfu.udpPort) await started.at(-1);
    }
    const workers = await Promise.all(started);
    const { library, crypto } = await libraryVersions(workers[0]!.library);
    onLog({ level: 'info', message: 'the WebRTC library is loaded', library, crypto });
    return { workers, crypto, relaySockets };
  } catch (error) {
    for (const start of await Promise.allSettled(started)) if (start.status === 'fulfilled') await start.value.close();
    await relaySockets.remove();
    throw error;
  }
}

type Ports = Pick<SfuOptions, 'udpPort' | 'tcpPort'>;

/** Each worker has the ports after those of the worker before it. 0 stays 0: any free port. */
function portsOf(index: number, { udpPort, tcpPort }: Ports): Ports {
  const nth = (port: number) => port && port + index;
  return { udpPort: nth(udpPort), tcpPort: tcpPort === undefined ? undefined : nth(tcpPort) };
}

/** The disk for temporary files is full, or the user may not write to it. */
function noSocketDirectory(cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause);
  throw new MediaError(
    'engine_unavailable',
    `the media engine cannot create a directory for temporary files: ${reason}`,
  );
}
