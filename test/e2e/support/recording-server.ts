import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initSegment, segment } from '../../../server/recording/packager/segment.ts';
import type { RewindPart } from '../../../server/recording/rewind-source.ts';
import type * as Server from '../../../server/index.ts';
import { keepPushing } from '../../support/flv-push.ts';
import { hlsFixture } from '../../support/hls-fixture.ts';
import { mediaFlows } from './pages.ts';

const FLV = join(import.meta.dirname, '../../support/flv/h264-opus.flv');
/** A group of the fixture is so long, in milliseconds. */
const GROUP_MS = 2_000;
const FIXTURE_SECONDS = 60;
const FIXTURE_FILE = '/recordings/fixture.mkv';
/** Where group `index` would be in the file. */
const positionOf = (index: number): number => 1_000 * (index + 1);

type Recordings = NonNullable<Server.StreamServerOptions['recordings']>;
type RewindRecording = NonNullable<ReturnType<Recordings['source']['findOpen']>>;

/** So many seconds of a test picture now; it grows while it is open. */
interface Fixture {
  readonly seconds: number;
  readonly isOpen: boolean;
  readonly codec?: 'h264' | 'vp8';
}

/**
 * The built server in this process, with real media and with recordings that were made before. The stream is live from
 * a file as well: no browser encodes.
 */
export class RecordingServer {
  readonly origin: string;
  #streamName = 'recorded-0';
  #streams = 0;
  /** By the name of the stream. */
  readonly #recordings: Map<string, () => RewindRecording>;
  readonly #publishTokens = new Map<string, number>();
  readonly #server: Server.StreamServer;
  readonly #end: () => Promise<void>;
  readonly #closed = new AbortController();
  #live = new AbortController();

  static async start(env: Readonly<Record<string, string>> = {}): Promise<RecordingServer> {
    const built = join(import.meta.dirname, '../../../server/dist/server/index.js');
    const { createStreamServer, readConfig } = (await import(built)) as typeof Server;
    const dataDir = await mkdtemp(join(tmpdir(), 'streamgate-rewind-'));
    const { init, segments } = await hlsFixture(FIXTURE_SECONDS);
    const recordings = new Map<string, () => RewindRecording>();
    const source: Recordings['source'] = {
      findOpen(_, streamName) {
        const recording = recordings.get(streamName)?.();
        return recording?.isOpen ? recording : undefined;
      },
      findLatest: async (_, streamName) => recordings.get(streamName)?.(),
      findById: async (id) => [...recordings.values()].map((find) => find()).find((one) => one.id === id),
    };
    const packager: Recordings['packager'] = {
      initSegment: async (part, ...more) => (part.file === FIXTURE_FILE ? init : initSegment(part, ...more)),
      segment: async (range, zero) =>
        range.part.file === FIXTURE_FILE ? segments[range.from / 1_000 - 1]! : segment(range, zero),
    };
    const own = { HOST: '127.0.0.1', PORT: '0', MEDIA_UDP_PORT: '0', MEDIA_WORKERS: '1', RTMP_PORT: '0' };
    const config = readConfig({ ...own, DATA_DIR: dataDir, LOG_LEVEL: 'fatal', ...env });
    const server = await createStreamServer(config, { recordings: { source, packager } });
    await server.accounts.ensureFirstAccount();
    const { port } = await server.listen();
    return new RecordingServer(`http://127.0.0.1:${port}`, server, recordings, async () => {
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    });
  }

  private constructor(
    origin: string,
    server: Server.StreamServer,
    recordings: Map<string, () => RewindRecording>,
    end: () => Promise<void>,
  ) {
    this.origin = origin;
    this.#server = server;
    this.#recordings = recordings;
    this.#end = end;
  }

  get streamName(): string {
    return this.#streamName;
  }

  /** Another stream from now on, which guests may watch. */
  async nextStream(): Promise<string> {
    const streamName = `recorded-${(this.#streams += 1)}`;
    this.#streamName = streamName;
    await this.token('publish');
    return streamName;
  }

  /** Creates a token for the stream, and returns it. */
  async token(kind: 'publish' | 'subscribe'): Promise<{ readonly id: number; readonly token: string }> {
    const streamName = this.#streamName;
    const streams = [{ streamName, isRegex: false }];
    const created = await this.#server.tokens.create({ accountId: 'main', kind }, { label: '', streams });
    if (kind === 'publish') this.#publishTokens.set(streamName, created.id);
    return created;
  }

  /** Disables a subscribe token. */
  async disable(id: number): Promise<void> {
    await this.#server.tokens.update({ accountId: 'main', kind: 'subscribe' }, id, { isActive: false });
  }

  /** The stream is live over RTMP. Resolves when media flows. */
  async goLive(): Promise<void> {
    const streamName = this.#streamName;
    const { token } = await this.token('publish');
    const url = `rtmp://127.0.0.1:${this.#server.rtmpPort}/v2/pub/${streamName}?token=${token}`;
    this.#live = new AbortController();
    void keepPushing({
      url,
      flv: await readFile(FLV),
      signal: AbortSignal.any([this.#closed.signal, this.#live.signal]),
    });
    await mediaFlows({ origin: this.origin, streamName });
  }

  /** The encoder of the stream ends its connection. */
  endLive(): void {
    this.#live.abort();
  }

  /** What is recorded of the stream: the fixture. Undefined: nothing. */
  record(what: Fixture | undefined): void {
    if (!what) return void this.#recordings.delete(this.#streamName);
    const { seconds, isOpen, codec = 'h264' } = what;
    const began = Date.now() - seconds * 1_000;
    this.#record(this.#streamName, () => {
      const elapsed = isOpen ? Date.now() - began : seconds * 1_000;
      const begun = Math.min(FIXTURE_SECONDS / 2, Math.floor(elapsed / GROUP_MS));
      const groups = Array.from({ length: begun + (isOpen ? 1 : 0) }, (_, index) => ({
        position: positionOf(index),
        timestampMs: index * GROUP_MS,
      }));
      const sums = { groups, durationMs: begun * GROUP_MS, bytes: positionOf(begun), isOpen };
      return [{ id: '1', file: FIXTURE_FILE, startsAt: began, video: { codec }, audio: { codec: 'opus' }, ...sums }];
    });
  }

  /** What is recorded of a stream: parts of files. Its broadcast is over. */
  recordParts(streamName: string, parts: readonly RewindPart[]): void {
    this.#record(streamName, () => parts);
  }

  #record(streamName: string, parts: () => readonly RewindPart[]): void {
    const id = `${streamName}-`.padEnd(22, 'r');
    this.#recordings.set(streamName, () => {
      const [first] = parts();
      const isOpen = parts().some((part) => part.isOpen);
      const tokenId = this.#publishTokens.get(streamName) ?? null;
      const fields = { accountId: 'main', streamName, sourceId: null, tokenId };
      return { id, ...fields, startedAt: first!.startsAt, isOpen, parts: parts() };
    });
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#end();
  }
}
