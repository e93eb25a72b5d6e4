import { setTimeout as delay } from 'node:timers/promises';
import type { VideoCodec } from '../../../server/media/engine/media-track.js';
import { RecordedStreams, type Recorded } from '../../e2e/support/recorded-streams.js';
import type { Cleanup } from '../cleanup.js';
import { until } from '../media/until.js';
import { WhipPublisher } from '../media/whip-publisher.js';
import { RestTokens } from '../rest-tokens.js';
import { startServer, type ServerProcess } from '../server-process.js';
import { askDirector } from '../stream-server.js';

const ASK_EVERY_MS = 100;

/** As `until`, for what is asked over HTTP: each question costs the machine some milliseconds. */
export const untilAsked = (what: string, condition: () => Promise<boolean>): Promise<void> =>
  until(what, async () => (await condition()) || delay(ASK_EVERY_MS, false));

/** The built server in a process of its own, and broadcasts to it of recorded encoders. */
export class RecordedBroadcasts {
  readonly server: ServerProcess;
  /** Its recordings over REST. */
  readonly api: RecordedStreams;
  readonly tokens: RestTokens;
  readonly #cleanup: Cleanup;

  static async open(cleanup: Cleanup, env: Record<string, string> = {}): Promise<RecordedBroadcasts> {
    const server = await startServer(env);
    cleanup.after(() => server.stop());
    const { secret } = await server.cli('secret', 'create', '--account', 'main');
    return new RecordedBroadcasts(cleanup, server, String(secret));
  }

  private constructor(cleanup: Cleanup, server: ServerProcess, secret: string) {
    this.#cleanup = cleanup;
    this.server = server;
    this.api = new RecordedStreams(server.origin, secret);
    this.tokens = new RestTokens(server.origin, secret);
  }

  /** Goes live as soon as the server accepts it. @param token default: a new one that records */
  async publish(
    streamName: string,
    { codec = 'h264', token }: { readonly codec?: VideoCodec; readonly token?: string | undefined } = {},
  ): Promise<WhipPublisher> {
    const address = {
      origin: this.server.origin,
      streamName,
      token: token ?? (await this.tokens.publish(streamName, { record: true })),
    };
    let refusal: unknown;
    let publisher: WhipPublisher | undefined;
    await untilAsked('the encoder is accepted', async () => {
      publisher = await WhipPublisher.open(address, `chromium-${codec}`).catch(
        (error: unknown) => void (refusal = error),
      );
      return publisher !== undefined;
    }).catch(() => Promise.reject(refusal));
    this.#cleanup.after(() => publisher!.close());
    await untilAsked('it is live', () => this.isLive(streamName));
    return publisher!;
  }

  async isLive(streamName: string): Promise<boolean> {
    const { body } = await askDirector(this.server, 'subscribe', undefined, { streamName, streamAccountId: 'main' });
    return body.data.code !== 'stream_not_live';
  }

  /** The length of everything that is recorded of the stream so far. */
  async seconds(streamName: string): Promise<number> {
    const all = await this.api.of(streamName).catch((): Recorded[] => []);
    return all.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  }

  /** Resolves when this many more seconds are recorded. */
  async grows(streamName: string, more: number): Promise<void> {
    const before = await this.seconds(streamName);
    await untilAsked(`${more} s more are recorded`, async () => (await this.seconds(streamName)) > before + more);
  }

  /** All recordings of the stream, when their files are ready. */
  async ready(streamName: string): Promise<Recorded[]> {
    const isReady = ({ state }: Recorded): boolean => state === 'ready';
    await untilAsked('the files are ready', async () => (await this.api.of(streamName)).every(isReady));
    return this.api.of(streamName);
  }
}
