import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeFile, type DecodedFile } from '../../support/recording/decode-file.ts';

/** The fields of a recording that the tests read. */
export interface Recorded {
  readonly id: string;
  readonly kind: 'broadcast' | 'clip';
  readonly state: 'recording' | 'finishing' | 'ready' | 'failed';
  readonly fault: string | null;
  readonly startedOn: string;
  readonly durationSeconds: number;
  readonly bytes: number;
  readonly videoCodec: string | null;
  readonly audioCodec: string | null;
  readonly width: number | null;
  readonly container: string | null;
}

/** The recordings of account `main`, over REST. */
export class RecordedStreams {
  readonly #origin: string;
  readonly #secret: string;

  constructor(origin: string, secret: string) {
    this.#origin = origin;
    this.#secret = secret;
  }

  /** The oldest first. */
  async of(streamName: string): Promise<Recorded[]> {
    return (await this.#call('GET', `recordings?streamName=${streamName}`)).toReversed();
  }

  /** Ends the broadcast, and its recording at once: nobody waits for its publisher to come back. */
  async stop(streamName: string): Promise<void> {
    await this.#call('POST', 'stream/stop', { streamId: `main/${streamName}` });
    await this.record(streamName, false);
  }

  /** Records the main source from now on, or stops. */
  async record(streamName: string, record: boolean): Promise<void> {
    await this.#call('POST', `streams/${streamName}/record`, { record });
  }

  /** Keeps the last seconds. */
  async clip(streamName: string, seconds: number): Promise<Recorded> {
    return await this.#call('POST', `streams/${streamName}/clips`, { seconds });
  }

  /** Has the file of a recording made whose server is lost. */
  async takeOver({ id }: Recorded): Promise<void> {
    await this.#call('POST', `recordings/${id}/finish`, { takeOver: true });
  }

  /** Downloads the file and decodes every frame. */
  async decoded({ id, bytes }: Recorded): Promise<DecodedFile> {
    const { path } = await this.#call('POST', `recordings/${id}/link`, {});
    const file = Buffer.from(await (await fetch(this.#origin + path)).arrayBuffer());
    if (file.length !== bytes) throw new Error(`the file has ${file.length} bytes of ${bytes}`);
    const folder = await mkdtemp(join(tmpdir(), 'streamgate-recording-'));
    try {
      await writeFile(join(folder, 'recording'), file);
      return await decodeFile(join(folder, 'recording'));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #call(method: string, path: string, body?: object): Promise<ReturnType<typeof JSON.parse>> {
    const headers = { authorization: `Bearer ${this.#secret}`, 'content-type': 'application/json' };
    const response = await fetch(`${this.#origin}/api/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await response.json()).data;
  }
}
