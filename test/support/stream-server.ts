import { once } from 'node:events';
import { truncate, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import { PasswordHasher } from '../../server/accounts/passwords/password-hash.js';
import { readConfig } from '../../server/config/config.js';
import type { RecordingControl } from '../../server/recording/recording-control.js';
import { FakeEngine } from './media/fake-engine.js';
import { within } from './media/until.js';
import type { RewindOptions } from '../../server/recording/hls/rewind.js';
import { createStreamServer } from '../../server/composition/stream-server.js';
import { RESERVE_BYTES, RESERVE_FILE } from '../../server/store/availability/disk-reserve.js';
import type { TokenKind } from '../../server/tokens/token-record.js';
import type { TokenFields } from '../../server/tokens/token-service.js';
import type { Cleanup } from './cleanup.js';
import { dataFolder } from './data-folder.js';
import { putMigratedDatabase } from './database-template.js';

export const NOW = Date.parse('2030-01-01T00:00:00Z');

/** The whole server with the account `main`, on the loopback address, with the fake media engine. */
export async function streamServer(
  cleanup: Cleanup,
  env: Record<string, string> = {},
  {
    recording,
    recordings,
    startsOn = NOW,
    isRunning = false,
  }: {
    readonly recording?: RecordingControl;
    readonly recordings?: RewindOptions;
    readonly startsOn?: number;
    /** The clock goes on by itself. */
    readonly isRunning?: boolean;
  } = {},
) {
  const clock = { now: startsOn };
  const begun = performance.now();
  const engine = new FakeEngine();
  const log = { text: '' };
  const destination = new Writable({
    write(chunk, _encoding, done) {
      log.text += String(chunk);
      done();
    },
  });
  const { DATA_DIR: dataDir = await folderWithReserve(cleanup), ...more } = env;
  const config = readConfig({ HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, ...more });
  if (config.databaseUrl === undefined) await putMigratedDatabase(dataDir);
  const parts = {
    engine,
    // As of the product, but without its cost: test/server/accounts/passwords/password-hash.test.ts.
    passwordHasher: new PasswordHasher({ N: 2 ** 4, r: 8, p: 1 }),
    now: () => clock.now + (isRunning ? performance.now() - begun : 0),
    log: pino({ level: 'trace' }, destination),
    ...(recording && { recording }),
    ...(recordings && { recordings }),
  };
  const server = await createStreamServer(config, parts);
  cleanup.after(() => server.close());
  await server.accounts.ensureFirstAccount();
  const { port } = await server.listen();
  const origin = `http://127.0.0.1:${port}`;

  /** Creates a token for the stream `main` and returns its value. */
  const token = async (kind: TokenKind, fields: Partial<TokenFields> = {}): Promise<string> => {
    const streams = [{ streamName: 'main', isRegex: false }];
    const created = await server.tokens.create({ accountId: 'main', kind }, { label: '', streams, ...fields });
    return created.token;
  };
  return { server, dataDir, origin, port, clock, engine, log, token };
}

/** A data folder whose disk reserve has its size and takes no space, because each server would write it. */
async function folderWithReserve(cleanup: Cleanup): Promise<string> {
  const folder = await dataFolder(cleanup);
  const reserve = join(folder, RESERVE_FILE);
  await writeFile(reserve, '');
  await truncate(reserve, RESERVE_BYTES);
  return folder;
}

export type TestServer = Awaited<ReturnType<typeof streamServer>>;

export interface DirectorAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReturnType<typeof JSON.parse>;
}

/** Calls the director like a browser. A string body is sent unchanged. */
export async function askDirector(
  { origin }: Pick<TestServer, 'origin'>,
  call: 'publish' | 'subscribe' | 'check',
  token?: string,
  body: object | string = { streamName: 'main', streamAccountId: 'main' },
): Promise<DirectorAnswer> {
  const response = await fetch(`${origin}/api/director/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

/** The client's end of a websocket, with every frame that it received. */
export class TestClient {
  readonly socket: WebSocket;
  /** Every frame of the server, in order. */
  readonly frames: ReturnType<typeof JSON.parse>[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  #lastId = -1;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (text) => this.frames.push(JSON.parse(String(text))));
    this.closed = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }));
    // It also rejects when the server is gone, while nobody waits for it.
    this.closed.catch(() => undefined);
  }

  /** Sends a command and waits for its response or error. */
  async command(name: string, data?: object): Promise<ReturnType<typeof JSON.parse>> {
    const transId = (this.#lastId += 1);
    this.socket.send(JSON.stringify({ type: 'cmd', transId, name, data }));
    return this.frame((frame) => frame.transId === transId);
  }

  event(name: string): Promise<ReturnType<typeof JSON.parse>> {
    return this.frame((frame) => frame.type === 'event' && frame.name === name);
  }

  events(): string[] {
    return this.frames.filter(({ type }) => type === 'event').map(({ name }) => name);
  }

  /** The first frame that matches. */
  async frame(matches: (frame: ReturnType<typeof JSON.parse>) => boolean): Promise<ReturnType<typeof JSON.parse>> {
    const all = () => `a frame, beside ${JSON.stringify(this.frames).slice(0, 1_000)}`;
    return await within(all, this.#frame(matches));
  }

  async #frame(matches: (frame: ReturnType<typeof JSON.parse>) => boolean): Promise<ReturnType<typeof JSON.parse>> {
    for (;;) {
      const found = this.frames.find(matches);
      if (found) return found;
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error('the socket closed first');
      await Promise.race([once(this.socket, 'message'), this.closed]);
    }
  }
}

/** Opens the websocket of a grant. */
export async function openSocket({ status, body }: DirectorAnswer): Promise<TestClient> {
  if (status !== 200) throw new Error(`the director refused: ${JSON.stringify(body)}`);
  const outcome = await upgrade(`${body.data.urls[0]}?token=${body.data.jwt}`);
  if (outcome instanceof TestClient) return outcome;
  throw new Error(`the websocket was refused: ${outcome.status} ${JSON.stringify(outcome.body)}`);
}

export interface RefusedUpgrade {
  readonly status: number;
  readonly body: ReturnType<typeof JSON.parse>;
}

/** The status and body of a refused upgrade. @throws it is not refused */
export async function refusedUpgrade(url: string): Promise<RefusedUpgrade> {
  const outcome = await upgrade(url);
  if (!(outcome instanceof TestClient)) return outcome;
  outcome.socket.terminate();
  throw new Error('the websocket was opened');
}

/** Asks for a websocket. @throws the server does neither open nor refuse it */
export async function upgrade(url: string): Promise<TestClient | RefusedUpgrade> {
  const socket = new WebSocket(url);
  const client = new TestClient(socket);
  const { promise: refused, resolve } = Promise.withResolvers<IncomingMessage>();
  socket.once('unexpected-response', (_request, response) => resolve(response));
  const opened = once(socket, 'open').then(() => client);
  const outcome = await within('the answer to an upgrade', Promise.race([opened, refused]));
  if (outcome instanceof TestClient) return outcome;
  opened.catch(() => undefined);
  return { status: outcome.statusCode!, body: JSON.parse(await text(outcome)) };
}
