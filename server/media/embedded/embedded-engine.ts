import { randomUUID } from 'node:crypto';
import { contain } from '../../faults/contain.js';
import { Emitter } from '../../faults/emitter.js';
import { EVERY_CAPABILITY } from '../engine/engine-capabilities.js';
import type { MediaEngine, MediaEngineEvents, TapAddress } from '../engine/media-engine.js';
import { MediaError } from '../engine/media-error.js';
import type {
  Delivery,
  MediaFault,
  MediaHealth,
  MediaPort,
  MediaProcessFigures,
  StreamStats,
} from '../engine/media-figures.js';
import type {
  AddedSource,
  AddSourceOptions,
  ConnectedMedia,
  MediaSession,
  PublishingSession,
  PublishOptions,
  SentRelay,
  ViewingSession,
  ViewOptions,
} from '../engine/media-session.js';
import type { AddedTracks, Keyframe, SourceId } from '../engine/media-track.js';
import { readOffer } from '../sdp/offer.js';
import { addedSourceTracks, FramePacketizer } from './frames/frame-packetizer.js';
import { SourceSender } from './relay/source-sender.js';
import type { SocketDirectory } from './relay/socket-directory.js';
import { addStats } from './stream/stream-stats.js';
import { isSupported } from './transport/library-versions.js';
import { ClosingSessions } from './worker/closing-sessions.js';
import { EngineSessions } from './worker/engine-sessions.js';
import type { MediaWorker } from './worker/media-worker.js';
import { placeByLoad, type PlacementPolicy, type PlacementRequest } from './worker/placement.js';
import { startWorkers, type StartedWorkers, type StartWorkersOptions } from './worker/start-workers.js';
import { WorkerAssignments, type Assignment } from './worker/worker-assignments.js';
import type { EngineEventMessage, RequestWithoutId, ResponseOf, WorkerPorts } from './worker/worker-messages.js';

export interface EmbeddedEngineOptions extends StartWorkersOptions {
  /** Absent: by load. */
  readonly placement?: PlacementPolicy | undefined;
}

/** A worker as operators and tests see it. */
export interface WorkerState extends WorkerPorts {
  /** Undefined while the process is being restarted. */
  readonly pid: number | undefined;
  readonly sessions: number;
}

/**
 * Starts the media engine in processes of its own, where HTTP requests cannot delay packets.
 *
 * When a worker dies, its sessions are lost (`media_engine_restarted`), the streams of its publishers end, and it is
 * restarted on the same port. The sessions of other workers go on. If no worker is running, every call fails with
 * `engine_unavailable` until one is.
 * @throws {MediaError} `engine_unavailable` if it cannot start, with the reason: a port is in use, or this machine does
 *   not have the address
 */
export async function createEmbeddedEngine({
  placement = placeByLoad,
  ...options
}: EmbeddedEngineOptions): Promise<EmbeddedEngine> {
  return new EmbeddedEngine(await startWorkers(options), placement);
}

/** The server's side of the embedded engine: assigns sessions to workers and forwards calls. Media does not pass it. */
export class EmbeddedEngine extends Emitter<MediaEngineEvents> implements MediaEngine {
  readonly capabilities = EVERY_CAPABILITY;
  readonly #workers: readonly MediaWorker[];
  readonly #unsupported: MediaFault | undefined;
  readonly #assignments: WorkerAssignments;
  readonly #relaySockets: SocketDirectory;
  readonly #sessions: EngineSessions;
  readonly #closingSessions = new ClosingSessions();
  #closing: Promise<void> | undefined;

  /** @internal use `createEmbeddedEngine` */
  constructor({ workers, crypto, relaySockets }: StartedWorkers, placement: PlacementPolicy) {
    super('media');
    this.#workers = workers;
    this.#unsupported = isSupported(crypto) ? undefined : unsupportedLibrary(crypto, Date.now());
    this.#assignments = new WorkerAssignments(workers, placement);
    this.#sessions = new EngineSessions(this.#assignments);
    this.#relaySockets = relaySockets;
    for (const worker of workers) {
      worker.on('event', (message) => this.#onWorkerEvent(worker, message));
      worker.on(
        'exit',
        contain('media', () => this.#onWorkerExit(worker)),
      );
    }
  }

  /** The first of the UDP ports. */
  get udpPort(): number {
    return this.#workers[0]!.ports.udpPort;
  }

  /** Of the first worker; undefined while it is being restarted. */
  get pid(): number | undefined {
    return this.#workers[0]!.pid;
  }

  get workers(): readonly WorkerState[] {
    return this.#workers.map((worker) => ({
      ...worker.ports,
      pid: worker.pid,
      sessions: this.#assignments.sessionsOf(worker),
    }));
  }

  async publish(stream: string, offer: string, options: PublishOptions = {}): Promise<PublishingSession> {
    const request = { type: 'publish', stream, offer: readOffer(offer), options } as const;
    await this.#closingSessions.whenClosed(stream);
    const { assignment, response } = await this.#open('publisher', stream, (worker) =>
      worker.request('published', request),
    );
    const { session, answer } = response;
    return {
      ...this.#session(session, answer, assignment),
      limitBitrate: async (maxBitrate) => {
        await assignment.worker.request('done', { type: 'limit-bitrate', session, maxBitrate });
      },
    };
  }

  async addSource(
    stream: string,
    tracks: AddedTracks,
    { sourceId: source = null, onKeyframeRequest }: AddSourceOptions = {},
  ): Promise<AddedSource> {
    await this.#closingSessions.whenClosed(stream);
    const id = randomUUID();
    const listener = { onKeyframeRequest: () => onKeyframeRequest?.(), onClosed: () => this.#lose(id) };
    const sourceTracks = addedSourceTracks(tracks, { onKeyframeRequest });
    const { assignment, response: sender } = await this.#open('publisher', stream, async ({ relayPath }) => {
      if (relayPath === undefined) throw unavailable('the media engine is restarting');
      return await SourceSender.connect(relayPath, { stream, id: source, tracks: sourceTracks }, listener);
    });
    this.#sessions.add(id, assignment);
    let packetizer = new FramePacketizer(sourceTracks, sender);
    return {
      id,
      write: (frame) => packetizer.write(frame),
      setTracks: (other) => {
        const changed = addedSourceTracks(other, { onKeyframeRequest });
        sender.setTracks(changed);
        packetizer = new FramePacketizer(changed, sender);
      },
      close: () => {
        sender.close();
        this.#sessions.end(id);
      },
    };
  }

  async view(stream: string, offer: string, options: ViewOptions = {}): Promise<ViewingSession> {
    // A signal cannot be sent to a worker, and viewers are answered at once.
    const sent = { ...options, signal: undefined };
    const request = { type: 'view', stream, offer: readOffer(offer), options: sent } as const;
    const { assignment, response } = await this.#open('viewer', stream, (worker) => worker.request('viewing', request));
    const { session, answer, mids } = response;
    const act = async (action: RequestWithoutId) => void (await assignment.worker.request('done', action));
    return {
      ...this.#session(session, answer, assignment),
      mids,
      select: (layer) => act({ type: 'select', session, layer }),
      project: (sourceId, projections) => act({ type: 'project', session, sourceId, projections }),
      unproject: (mediaIds) => act({ type: 'unproject', session, mediaIds }),
    };
  }

  canRelay(): true {
    return true;
  }

  async sendRelay(stream: string, offer: string): Promise<SentRelay> {
    this.#running();
    const home = this.#assignments.homeOf(stream);
    if (home?.pid === undefined) throw unavailable('no publisher of the stream is connected');
    const assignment = this.#assignments.assign('viewer', stream, home);
    try {
      const { session, answer } = await home.request('relay-answer', { type: 'relay-send', stream, offer });
      this.#sessions.addSentRelay(session, assignment);
      return { id: session, answer, close: () => void this.#closeSession(session) };
    } catch (error) {
      this.#assignments.release(assignment);
      throw error;
    }
  }

  async receiveRelay(stream: string, exchange: (offer: string) => Promise<string>): Promise<ConnectedMedia> {
    await this.#closingSessions.whenClosed(stream);
    const { assignment, response } = await this.#open('publisher', stream, (worker) =>
      worker.request('relay-offered', { type: 'relay-offer', stream }),
    );
    const { session, offer } = response;
    const relay = this.#connected(session, assignment);
    try {
      const answer = await exchange(offer);
      await assignment.worker.request('done', { type: 'relay-accept', session, answer });
      return relay;
    } catch (error) {
      relay.close();
      throw error;
    }
  }

  async stats(stream: string): Promise<StreamStats> {
    const responses = await this.#askAll('stats', { type: 'stats', stream });
    return responses.map(({ stats }) => stats).reduce(addStats);
  }

  async deliveries(stream: string): Promise<readonly Delivery[]> {
    const responses = await this.#askAll('deliveries', { type: 'deliveries', stream });
    return responses.flatMap(({ deliveries }) => deliveries);
  }

  async keyframe(stream: string, sourceId: SourceId): Promise<Keyframe | undefined> {
    const responses = await this.#askAll('keyframe', { type: 'keyframe', stream, sourceId });
    const keyframe = responses.find((response) => response.keyframe)?.keyframe;
    return keyframe && { ...keyframe, data: Buffer.from(keyframe.data, 'base64') };
  }

  tapAddress(stream: string): TapAddress | undefined {
    const path = this.#assignments.homeOf(stream)?.relayPath;
    return path === undefined ? undefined : { path };
  }

  figures(): readonly MediaProcessFigures[] {
    return this.#workers.flatMap(({ figures }) => figures ?? []);
  }

  overloadedOn(): number | undefined {
    const times = this.#workers.flatMap(({ overloadedOn }) => overloadedOn ?? []);
    return times.length > 0 ? Math.max(...times) : undefined;
  }

  health(): MediaHealth {
    const faults = this.#workers.flatMap(({ index, stoppedSince: since }): MediaFault[] => {
      if (since === undefined) return [];
      const message = `The media process ${index} does not answer: its sessions stand still until it is started again`;
      return [{ component: `media_process_${index}`, message, since }];
    });
    return { isUsable: faults.length < this.#workers.length, faults, unsupported: this.#unsupported };
  }

  mediaPorts(): readonly MediaPort[] {
    const running = this.#workers.filter(({ stoppedSince }) => stoppedSince === undefined);
    return running.map(({ address, ports }) => ({ address, port: ports.udpPort }));
  }

  publishUntil(time: number): void {
    for (const worker of this.#workers) worker.publishUntil(time);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close()));
    await this.#relaySockets.remove();
    this.#sessions.clear();
    for (const [stream, source] of this.#assignments.clear()) this.emit('ended', stream, source);
  }

  #running(): MediaWorker[] {
    if (this.#closing) throw unavailable('the media engine is closed');
    const running = this.#workers.filter(({ pid }) => pid !== undefined);
    if (!running.length) throw unavailable('the media engine is restarting');
    return running;
  }

  /**
   * Asks every worker that runs.
   * @returns what those answered that did not go away meanwhile: at least one
   */
  async #askAll<Type extends 'stats' | 'deliveries' | 'keyframe'>(
    type: Type,
    request: Extract<RequestWithoutId, { type: Type }>,
  ): Promise<readonly ResponseOf<Type>[]> {
    const requests = this.#running().map((worker) => worker.request(type, request));
    const responses = await Promise.allSettled(requests);
    const answers = responses.flatMap((response) => (response.status === 'fulfilled' ? [response.value] : []));
    if (!answers.length) throw unavailable('the media engine went away');
    return answers;
  }

  /** Opens a session in the best worker that accepts it. */
  async #open<Response>(
    role: PlacementRequest['role'],
    stream: string,
    open: (worker: MediaWorker) => Promise<Response>,
  ) {
    let refusal = unavailable('no media worker accepts the session');
    for (const worker of this.#assignments.candidates(role, stream, this.#running())) {
      if (worker.stoppedSince !== undefined || this.#closing) continue;
      const assignment = this.#assignments.assign(role, stream, worker);
      try {
        return { assignment, response: await open(worker) };
      } catch (error) {
        this.#assignments.release(assignment);
        if (!(error instanceof MediaError) || error.code !== 'engine_unavailable') throw error;
        refusal = error;
      }
    }
    throw refusal;
  }

  #session(id: string, answer: string, assignment: Assignment): MediaSession {
    const { worker } = assignment;
    return {
      ...this.#connected(id, assignment),
      answer,
      renew: async (offer) => {
        const request = { type: 'renew', session: id, offer: readOffer(offer) } as const;
        return (await worker.request('renewed', request)).answer;
      },
    };
  }

  #connected(id: string, assignment: Assignment): ConnectedMedia {
    this.#sessions.add(id, assignment);
    return { id, close: () => void this.#closeSession(id) };
  }

  /** @returns false if it has ended already */
  #closeSession(id: string): boolean {
    const assignment = this.#sessions.end(id);
    if (!assignment) return false;
    const { worker, stream } = assignment;
    this.#closingSessions.add(stream, worker.request('done', { type: 'close-session', session: id }));
    return true;
  }

  /** Ends the relays of a stream from workers that are no longer its home. The other servers ask for new ones. */
  #endMovedRelays(stream: string, home: MediaWorker): void {
    for (const id of this.#sessions.movedRelays(stream, home)) {
      if (this.#closeSession(id)) this.emit('session-lost', id, 'transport_lost');
    }
  }

  /** The connection of an added source broke. */
  #lose(id: string): void {
    if (this.#sessions.end(id)) this.emit('session-lost', id, 'transport_lost');
  }

  #onWorkerEvent(worker: MediaWorker, message: EngineEventMessage): void {
    if (message.type === 'session-lost') {
      const [id] = message.event;
      if (!this.#sessions.end(id)) return;
    } else if (message.type === 'live') {
      const [stream, source] = message.event;
      this.#assignments.onLive(worker, stream, source);
      this.#endMovedRelays(stream, worker);
    } else if (message.type === 'ended') {
      this.#assignments.onEnded(...message.event);
    }
    this.emit(message.type, ...message.event);
  }

  #onWorkerExit(worker: MediaWorker): void {
    const ended = this.#assignments.onWorkerExit(worker);
    for (const id of this.#sessions.endOf(worker)) this.emit('session-lost', id, 'media_engine_restarted');
    for (const [stream, source] of ended) this.emit('ended', stream, source);
  }
}

const unavailable = (message: string): MediaError => new MediaError('engine_unavailable', message);

function unsupportedLibrary(crypto: string, since: number): MediaFault {
  const message = `The WebRTC library of the media processes contains ${crypto}, which is not supported any more`;
  return { component: 'webrtc_library', message, since };
}
