import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Server from '../../../server/index.ts';
import { hlsFixture } from '../../support/hls-fixture.ts';

/** A group of the fake recording is so long, in milliseconds. */
const GROUP_MS = 2_000;
/** Where group `index` would be in the file. */
const positionOf = (index: number): number => 1_000 * (index + 1);

type Recordings = NonNullable<Server.StreamServerOptions['recordings']>;
type RewindRecording = NonNullable<ReturnType<Recordings['source']['findOpen']>>;

export interface RecordingServer {
  readonly origin: string;
  readonly streamName: string;
  /** Another stream from now on: the broadcaster of the one before may still hold its name. */
  nextStream(): void;
  /** Creates a token for the stream, and returns it. */
  token(kind: 'publish' | 'subscribe', fields?: object): Promise<{ readonly id: number; readonly token: string }>;
  /** Disables a subscribe token. */
  disable(id: number): Promise<void>;
  /** What is recorded: so many seconds now; it grows while it is open. Undefined: nothing. */
  record(
    what: { readonly seconds: number; readonly isOpen: boolean; readonly codec?: 'h264' | 'vp8' } | undefined,
  ): void;
  close(): Promise<void>;
}

/** The built server in this process, with real media and with a recording that ffmpeg made. */
export async function startRecordingServer(): Promise<RecordingServer> {
  const built = join(import.meta.dirname, '../../../server/dist/server/index.js');
  const { createStreamServer, readConfig } = (await import(built)) as typeof Server;
  const dataDir = await mkdtemp(join(tmpdir(), 'streamgate-rewind-'));
  const { init, segments } = await hlsFixture();
  let tests = 0;
  let streamName = 'recorded';
  let current: (() => RewindRecording) | undefined;
  let publishToken: number | null = null;

  const source: Recordings['source'] = {
    findOpen: () => (current?.().isOpen ? current() : undefined),
    findLatest: async () => current?.(),
    findById: async (id) => (current?.().id === id ? current() : undefined),
  };
  const packager: Recordings['packager'] = {
    initSegment: async () => init,
    segment: async ({ from }) => segments[from / 1_000 - 1]!,
  };
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    MEDIA_UDP_PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'fatal',
  });
  const server = await createStreamServer(config, { recordings: { source, packager } });
  await server.accounts.ensureFirstAccount();
  const { port } = await server.listen();

  return {
    origin: `http://127.0.0.1:${port}`,
    get streamName() {
      return streamName;
    },
    nextStream() {
      streamName = `recorded-${(tests += 1)}`;
    },
    async token(kind, fields = {}) {
      const streams = [{ streamName, isRegex: false }];
      const created = await server.tokens.create({ accountId: 'main', kind }, { label: '', streams, ...fields });
      if (kind === 'publish') publishToken = created.id;
      return created;
    },
    async disable(id) {
      await server.tokens.update({ accountId: 'main', kind: 'subscribe' }, id, { isActive: false });
    },
    record(what) {
      if (!what) return void (current = undefined);
      const { seconds, isOpen, codec = 'h264' } = what;
      const began = Date.now() - seconds * 1000;
      current = () => {
        const elapsed = isOpen ? Date.now() - began : seconds * 1000;
        const begun = Math.min(segments.length, Math.floor(elapsed / GROUP_MS));
        const groups = Array.from({ length: begun + (isOpen ? 1 : 0) }, (_, index) => ({
          position: positionOf(index),
          timestampMs: index * GROUP_MS,
        }));
        const part = {
          id: '1',
          file: '/recordings/part-1.mkv',
          startsAt: began,
          video: { codec },
          audio: { codec: 'opus' as const },
          groups,
          durationMs: begun * GROUP_MS,
          bytes: positionOf(begun),
          isOpen,
        };
        return {
          id: 'r'.repeat(22),
          accountId: 'main',
          streamName,
          sourceId: null,
          tokenId: publishToken,
          startedAt: began,
          isOpen,
          parts: [part],
        };
      };
    },
    async close() {
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
