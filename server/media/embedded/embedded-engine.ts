import { EventEmitter } from 'node:events';
import {
  MediaError,
  type MediaEngine,
  type MediaEngineEvents,
  type MediaSession,
  type PublishOptions,
  type StreamStats,
  type ViewingSession,
  type ViewOptions,
} from '../media-engine.js';
import type { RequestWithoutId } from './worker/worker-process.js';
import type { EngineEventMessage, EngineLogEntry, WorkerPorts } from './worker/worker-messages.js';
import type { SfuOptions } from './worker/sfu.js';
import { MediaWorker } from './worker/media-worker.js';
import { placeByLoad, type PlacementPolicy, type PlacementRequest } from './worker/placement.js';
import { createSocketDirectory, type SocketDirectory } from './relay/socket-directory.js';
import { StreamAssignment } from './worker/stream-assignment.js';

export interface EmbeddedEngineOptions extends SfuOptions {
  /** How many processes carry media, each on ports of its own: those given, and those that follow. Absent: one. */
  readonly workers?: number | undefined;
  /** Who goes where. Absent: as the load has it. */
  readonly placement?: PlacementPolicy | undefined;
  readonly onLog?: ((entry: EngineLogEntry) => void) | undefined;
}

/** What an operator, or a test, may want to know of a worker. */
export interface WorkerState extends WorkerPorts {
  /** Undefined while its process is started again. */
  readonly pid: number | undefined;
  readonly sessions: number;
}

/**
 * Starts the media engine in processes of its own, where no HTTP work can delay a packet.
 *
 * When one of them dies, its sessions are lost (`media_engine_restarted`), the streams whose publishers it had have
 * ended, and a new one is started on the same port. Those of the others go on; where there are none, every call is
 * refused with `engine_unavailable` until it is back.
 * @throws {MediaError} `engine_unavailable` when it does not start, saying why: a port is in use, the address is not
 *   this machine's
 */
export async function createEmbeddedEngine(options: EmbeddedEngineOptions): Promise<EmbeddedEngine> {
  const { workers: count = 1, placement = placeByLoad, onLog = () => {}, ...sfu } = options;
  const relayFolder = count > 1 ? await createSocketDirectory().catch(noFolder) : undefined;
  const start = (index: number) => {
    const after = (port: number) => port && port + index;
    const tcpPort = sfu.tcpPort === undefined ? undefined : after(sfu.tcpPort);
    return MediaWorker.start({ index, sfu: { ...sfu, udpPort: after(sfu.udpPort), tcpPort }, relayFolder, onLog });
  };
  const started: Promise<MediaWorker>[] = [];
  try {
    for (let index = 0; index < count; index++) {
      started.push(start(index));
      // Two that look for a free port at the same moment may find the same.
      if (!sfu.udpPort) await started.at(-1);
    }
    return new EmbeddedEngine(await Promise.all(started), placement, relayFolder);
  } catch (error) {
    for (const start of await Promise.allSettled(started)) if (start.status === 'fulfilled') await start.value.close();
    await relayFolder?.remove();
    throw error;
  }
}

/** A session, and where it is. */
interface Seat extends Pick<PlacementRequest, 'role'> {
  readonly stream: string;
  readonly worker: MediaWorker;
}

/** The server's end of the embedded engine: it knows who is where, and media passes it by. */
export class EmbeddedEngine extends EventEmitter<MediaEngineEvents> implements MediaEngine {
  readonly #workers: readonly MediaWorker[];
  readonly #place: PlacementPolicy;
  readonly #relayFolder: SocketDirectory | undefined;
  readonly #sessions = new Map<string, Seat>();
  readonly #streams = new Map<string, StreamAssignment>();
  /** Sessions that were closed, by stream, until their process has let go of them. */
  readonly #closings = new Map<string, Set<Promise<unknown>>>();
  /** Sessions of each worker, those that are being made too. */
  readonly #loads: number[];
  #closing: Promise<void> | undefined;

  /** @internal use `createEmbeddedEngine` */
  constructor(workers: readonly MediaWorker[], place: PlacementPolicy, relayFolder: SocketDirectory | undefined) {
    super();
    this.#workers = workers;
    this.#place = place;
    this.#relayFolder = relayFolder;
    this.#loads = workers.map(() => 0);
    for (const worker of workers) {
      worker.on('news', (news) => this.#hear(worker, news));
      worker.on('died', () => this.#mourn(worker));
    }
  }

  /** The first of the ports that media goes to. */
  get udpPort(): number {
    return this.#workers[0]!.ports.udpPort;
  }

  /** Of the first process; undefined while there is none. */
  get pid(): number | undefined {
    return this.#workers[0]!.pid;
  }

  get workers(): readonly WorkerState[] {
    return this.#workers.map(({ ports, pid, index }) => ({ ...ports, pid, sessions: this.#loads[index]! }));
  }

  async publish(stream: string, offer: string, options: PublishOptions = {}): Promise<MediaSession> {
    const request = { type: 'publish', stream, offer, options } as const;
    await Promise.all(this.#closings.get(stream) ?? []);
    const { seat, result } = await this.#admit('publisher', stream, (worker) => worker.request('published', request));
    return this.#session(result.session, result.answer, seat);
  }

  async view(stream: string, offer: string, options: ViewOptions = {}): Promise<ViewingSession> {
    const request = { type: 'view', stream, offer, options } as const;
    const { seat, result } = await this.#admit('viewer', stream, (worker) => worker.request('viewing', request));
    const { session, answer, mids } = result;
    const act = async (call: RequestWithoutId) => void (await seat.worker.request('done', call));
    return {
      ...this.#session(session, answer, seat),
      mids,
      select: (layer) => act({ type: 'select', session, layer }),
      project: (sourceId, projections) => act({ type: 'project', session, sourceId, projections }),
      unproject: (mediaIds) => act({ type: 'unproject', session, mediaIds }),
    };
  }

  async stats(stream: string): Promise<StreamStats> {
    const asked = this.#running().map((worker) => worker.request('stats', { type: 'stats', stream }));
    const answers = await Promise.allSettled(asked);
    const told = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.stats] : []));
    if (!told.length) throw unavailable('the media engine went away');
    return told.reduce(together);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close()));
    await this.#relayFolder?.remove();
    this.#sessions.clear();
    const live = [...this.#streams].map(([stream, { live }]) => [stream, [...live]] as const);
    this.#streams.clear();
    for (const [stream, sources] of live) for (const source of sources) this.emit('ended', stream, source);
  }

  #running(): MediaWorker[] {
    if (this.#closing) throw unavailable('the media engine is closed');
    const running = this.#workers.filter(({ pid }) => pid !== undefined);
    if (!running.length) throw unavailable('the media engine is restarting');
    return running;
  }

  /** Has a session made by the first worker that takes it, of those that are best for it. */
  async #admit<Result>(role: PlacementRequest['role'], stream: string, make: (worker: MediaWorker) => Promise<Result>) {
    let refusal = unavailable('the media engine takes nobody');
    for (const worker of this.#candidates(role, stream)) {
      if (worker.pid === undefined || this.#closing) continue;
      const seat = this.#take({ role, stream, worker });
      try {
        return { seat, result: await make(worker) };
      } catch (error) {
        this.#leave(seat);
        if (!(error instanceof MediaError) || error.code !== 'engine_unavailable') throw error;
        refusal = error;
      }
    }
    throw refusal;
  }

  #candidates(role: PlacementRequest['role'], stream: string): readonly MediaWorker[] {
    const running = this.#running();
    const places = this.#streams.get(stream);
    const home = places?.home;
    if (role === 'publisher' && places?.isHomeFixed) return running.filter(({ index }) => index === home);
    const ofStream = (index: number) => places?.sessionsOn(index) ?? 0;
    const loads = running.map(({ index }) => ({ index, sessions: this.#loads[index]!, ofStream: ofStream(index) }));
    const best = this.#place({ role, home }, loads).flatMap((index) => this.#workers[index] ?? []);
    // Two publishers who come together are not to end up in two places.
    return role === 'publisher' ? best.slice(0, 1) : best;
  }

  #take(seat: Seat): Seat {
    const { role, stream, worker } = seat;
    const places = this.#placesOf(stream);
    const movesHome = role === 'publisher' && !places.isHomeFixed;
    if (movesHome) places.home = worker.index;
    places.add(worker.index, role);
    this.#loads[worker.index]!++;
    for (const index of movesHome ? places.workers : [worker.index]) this.#direct(stream, places, index);
    return seat;
  }

  #leave({ role, stream, worker }: Seat): void {
    const places = this.#placesOf(stream);
    places.remove(worker.index, role);
    this.#loads[worker.index]!--;
    if (!places.sessionsOn(worker.index)) this.#direct(stream, places, worker.index);
    this.#forgetIfDeserted(stream);
  }

  /** Tells a worker where the stream's media is to come from, if from another and if it has anybody for it. */
  #direct(stream: string, places: StreamAssignment, index: number): void {
    if (this.#workers.length === 1) return;
    const { home } = places;
    const comes = home !== undefined && home !== index && places.sessionsOn(index) > 0;
    this.#workers[index]!.notify({ type: 'follow', stream, home: comes ? this.#workers[home]!.relayPath : undefined });
  }

  #placesOf(stream: string): StreamAssignment {
    const places = this.#streams.get(stream) ?? new StreamAssignment();
    this.#streams.set(stream, places);
    return places;
  }

  #forgetIfDeserted(stream: string): void {
    if (this.#streams.get(stream)?.isEmpty) this.#streams.delete(stream);
  }

  #session(id: string, answer: string, seat: Seat): MediaSession {
    this.#sessions.set(id, seat);
    return {
      id,
      answer,
      renew: async (offer) => (await seat.worker.request('renewed', { type: 'renew', session: id, offer })).answer,
      close: () => {
        if (!this.#sessions.delete(id)) return;
        this.#noteClosing(seat.stream, seat.worker.request('done', { type: 'close-session', session: id }));
        this.#leave(seat);
      },
    };
  }

  /** A worker that does not answer is gone, and the session with it. */
  #noteClosing(stream: string, answer: Promise<unknown>): void {
    const closings = this.#closings.get(stream) ?? new Set();
    this.#closings.set(stream, closings);
    const closing = answer
      .catch(() => {})
      .finally(() => {
        closings.delete(closing);
        if (closings.size === 0 && this.#closings.get(stream) === closings) this.#closings.delete(stream);
      });
    closings.add(closing);
  }

  #hear(worker: MediaWorker, news: EngineEventMessage): void {
    if (news.type === 'session-lost') {
      const seat = this.#sessions.get(news.event[0]);
      if (!this.#sessions.delete(news.event[0])) return;
      if (seat) this.#leave(seat);
    } else if (news.type === 'live') {
      const [stream, source] = news.event;
      const places = this.#placesOf(stream);
      places.home ??= worker.index;
      places.live.add(source);
    } else if (news.type === 'ended') {
      const [stream, source] = news.event;
      this.#streams.get(stream)?.live.delete(source);
      this.#forgetIfDeserted(stream);
    }
    this.emit(news.type, ...news.event);
  }

  /** Everything that its process knew is gone with it. */
  #mourn(worker: MediaWorker): void {
    const lost = [...this.#sessions].filter(([, seat]) => seat.worker === worker);
    for (const [id] of lost) this.#sessions.delete(id);
    const ended = [...this.#streams].flatMap(([stream, { home, live }]) =>
      home === worker.index ? [...live].map((source) => [stream, source] as const) : [],
    );
    for (const [stream, places] of this.#streams) {
      if (places.home !== worker.index) continue;
      places.home = undefined;
      places.live.clear();
      for (const index of places.workers) this.#direct(stream, places, index);
    }
    for (const [, seat] of lost) this.#leave(seat);
    for (const stream of this.#streams.keys()) this.#forgetIfDeserted(stream);

    for (const [id] of lost) this.emit('session-lost', id, 'media_engine_restarted');
    for (const [stream, source] of ended) this.emit('ended', stream, source);
  }
}

function together(one: StreamStats, other: StreamStats): StreamStats {
  return {
    live: one.live || other.live,
    viewers: one.viewers + other.viewers,
    packetsIn: one.packetsIn + other.packetsIn,
    bytesIn: one.bytesIn + other.bytesIn,
    packetsOut: one.packetsOut + other.packetsOut,
    keyframes: one.keyframes + other.keyframes,
    nacksAnswered: one.nacksAnswered + other.nacksAnswered,
  };
}

/** The disk of temporary files is full, or closed to this user. */
function noFolder(cause: unknown): never {
  const why = cause instanceof Error ? cause.message : String(cause);
  throw new MediaError('engine_unavailable', `the media engine cannot make a folder for temporary files: ${why}`);
}

const unavailable = (message: string): MediaError => new MediaError('engine_unavailable', message);
