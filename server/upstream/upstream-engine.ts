import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { contain } from '../faults/contain.js';
import { Emitter } from '../faults/emitter.js';
import { after } from '../faults/timers.js';
import type { MediaEngine, MediaEngineEvents, TapAddress } from '../media/engine/media-engine.js';
import { MediaError } from '../media/engine/media-error.js';
import type { Delivery, StreamStats } from '../media/engine/media-figures.js';
import type {
  AddedSource,
  MediaSession,
  PublishingSession,
  PublishOptions,
  ViewingSession,
  ViewOptions,
} from '../media/engine/media-session.js';
import type { Keyframe, TrackKind } from '../media/engine/media-track.js';
import { UPSTREAM_CAPABILITIES } from './upstream-capabilities.js';
import type { SessionNotes } from './session-notes.js';
import { SessionRemovals } from './session-removals.js';
import { UpstreamCalls } from './upstream-calls.js';
import type { UpstreamClient, UpstreamSession } from './upstream-client.js';
import { publisherOffer, viewerMids } from './upstream-offer.js';
import { UpstreamStream } from './upstream-stream.js';
import type { UpstreamTarget } from './upstream.js';

/** An upstream that lists a stream as live can still say for a moment that it is not. */
const NOT_LIVE_PAUSES_MS = [100, 200, 400, 800, 1_500, 3_000];
/** The source of a publisher is not connected again before the old session is ended, within this time. */
const REMOVED_WITHIN_MS = 5_000;

export interface UpstreamEngineOptions {
  /** Undefined: the stream has no upstream, or its name cannot be used there. */
  readonly targetOf: (stream: string) => UpstreamTarget | 'unreadable' | undefined;
  readonly client: Pick<UpstreamClient, 'open' | 'remove' | 'liveState'>;
  readonly notes: SessionNotes;
  /** The owner of the notes: unique for each start of a server. */
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of the clock of `publishUntil`. */
  readonly monotonicNow: () => number;
  readonly log: Logger;
}

/** A stream that has sessions here, or will have some. */
interface CarriedStream {
  readonly key: string;
  readonly target: UpstreamTarget;
  readonly state: UpstreamStream;
  publisher: Publisher | undefined;
  readonly viewers: Map<string, OpenSession>;
  /** Viewers that wait, or are being connected. */
  connecting: number;
}

interface OpenSession {
  readonly id: string;
  readonly stream: CarriedStream;
  readonly session: UpstreamSession;
}

interface Publisher {
  readonly kinds: readonly TrackKind[];
  /** Undefined: it is being connected. */
  open: OpenSession | undefined;
}

/**
 * Has other servers carry the media, over WHIP and WHEP: offers of publishers and viewers are sent there, and the answers
 * come back. No packet passes through this server.
 */
export class UpstreamEngine extends Emitter<MediaEngineEvents> implements MediaEngine {
  readonly capabilities = UPSTREAM_CAPABILITIES;
  readonly #options: UpstreamEngineOptions;
  readonly #streams = new Map<string, CarriedStream>();
  readonly #removals: SessionRemovals;
  /** The removals of publishers, by stream. */
  readonly #removing = new Map<string, Promise<void>>();
  readonly #calls: UpstreamCalls;
  readonly #closing = new AbortController();
  #deadline: NodeJS.Timeout | undefined;

  constructor(options: UpstreamEngineOptions) {
    super('upstream');
    this.#options = options;
    this.#removals = new SessionRemovals(options);
    this.#calls = new UpstreamCalls(options);
  }

  async publish(
    key: string,
    offer: string,
    { codec, sourceId = null }: PublishOptions = {},
  ): Promise<PublishingSession> {
    this.#mustBeOpen();
    if (sourceId !== null) throw unsupported('the upstream of this stream has one source: publish without a source id');
    const { sdp, kinds } = publisherOffer(offer, codec);
    const stream = this.#stream(key);
    if (stream.publisher) throw new MediaError('stream_in_use', 'the source has a publisher already');
    const publisher: Publisher = (stream.publisher = { kinds, open: undefined });
    try {
      await this.#whenRemoved(key);
      const opened = await this.#calls.open('publish', stream, sdp, this.#closing.signal);
      if (opened === 'not_live') throw new MediaError('upstream_refused', 'the upstream cannot be used');
      const session = await this.#noted(stream, opened.session);
      publisher.open = session;
      stream.state.begin();
      return {
        ...this.#session(session, opened.answer),
        limitBitrate: async () => {},
        close: () => this.#endPublisher(session),
      };
    } catch (error) {
      stream.publisher = undefined;
      throw error;
    } finally {
      this.#forgetIfUnused(stream);
    }
  }

  async addSource(): Promise<AddedSource> {
    this.#mustBeOpen();
    throw unsupported('streams with an upstream cannot be published over RTMP: publish with a browser or over WHIP');
  }

  async view(key: string, offer: string, { signal }: ViewOptions = {}): Promise<ViewingSession> {
    this.#mustBeOpen();
    const mids = viewerMids(offer);
    const stream = this.#stream(key);
    const gone = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
    stream.connecting += 1;
    try {
      const { session, answer } = await this.#openViewer(stream, offer, gone);
      const { id } = session;
      stream.viewers.set(id, session);
      // Whether media reaches the viewer is not known. The caller must know the session first.
      setImmediate(contain('upstream', () => stream.viewers.has(id) && this.emit('reachable', id, true)));
      const noLayers = async (): Promise<never> => {
        mustBeOpenSession(session);
        throw unsupported('the upstream of this stream has no layers and one source');
      };
      return {
        ...this.#session(session, answer),
        mids,
        select: noLayers,
        project: noLayers,
        unproject: noLayers,
        close: () => this.#endViewer(session),
      };
    } finally {
      stream.connecting -= 1;
      this.#forgetIfUnused(stream);
    }
  }

  async stats(key: string): Promise<StreamStats> {
    this.#mustBeOpen();
    const stream = this.#streams.get(key);
    const unknown = { packetsIn: 0, bytesIn: 0, packetsOut: 0, keyframes: 0, nacksAnswered: 0 };
    return { live: stream?.state.isLive ?? false, viewers: stream?.viewers.size ?? 0, ...unknown };
  }

  async deliveries(): Promise<readonly Delivery[]> {
    this.#mustBeOpen();
    return [];
  }

  async keyframe(): Promise<Keyframe | undefined> {
    this.#mustBeOpen();
    return undefined;
  }

  tapAddress(): TapAddress | undefined {
    return undefined;
  }

  /** The upstream goes on by itself: at the deadline, the publishers there are ended. */
  publishUntil(time: number): void {
    clearTimeout(this.#deadline);
    // Longer timers than 2^31 ms would end at once.
    const ms = Math.min(Math.max(0, time - this.#options.monotonicNow()), 2 ** 31 - 1);
    this.#deadline = after('upstream', ms, () => this.#losePublishers()).unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.#deadline);
    this.#closing.abort(unavailable('the server is stopping'));
    for (const { publisher, viewers } of Array.from(this.#streams.values())) {
      if (publisher?.open) this.#endPublisher(publisher.open);
      for (const session of Array.from(viewers.values())) this.#endViewer(session);
    }
    await this.#removals.close();
  }

  /**
   * Ends sessions that a server which is gone has left behind.
   * @param alive the servers that lived at `asOf`, in milliseconds since 1970. One that has joined since is not gone.
   */
  async endOrphans(alive: readonly string[], asOf: number): Promise<void> {
    const { notes, owner, log } = this.#options;
    const orphans = await notes.takeOver(owner, alive, asOf);
    if (orphans.length === 0) return;
    log.info({ count: orphans.length }, 'sessions that a server left at its upstream are ended');
    for (const { id, session } of orphans) void this.#removals.removeOrphan(id, session);
  }

  async #openViewer(
    stream: CarriedStream,
    offer: string,
    gone: AbortSignal,
  ): Promise<{ readonly session: OpenSession; readonly answer: string }> {
    const { state } = stream;
    for (const pauseMs of NOT_LIVE_PAUSES_MS) {
      await state.whenLive(gone);
      const { publisher } = stream;
      const opened = await this.#calls.open('view', stream, offer, gone);
      if (opened !== 'not_live') {
        const session = await this.#noted(stream, opened.session);
        if (state.isLive && stream.publisher === publisher) return { session, answer: opened.answer };
        // The broadcast ended meanwhile, and with it what was just opened.
        void this.#removals.remove(session.id, session.session);
      }
      await setTimeout(pauseMs, undefined, { signal: gone, ref: false }).catch(() => gone.throwIfAborted());
    }
    throw unavailable('the upstream says that the stream is not live');
  }

  /** A session that could not be noted is used all the same: only if this server dies now, nobody ends it. */
  async #noted(stream: CarriedStream, session: UpstreamSession): Promise<OpenSession> {
    const { notes, owner, now, log } = this.#options;
    const id = randomUUID();
    await notes.add(owner, { id, session }, now()).catch((err: unknown) => {
      log.warn({ err, session: id }, 'a session at an upstream could not be noted');
    });
    if (!this.#closing.signal.aborted) return { id, stream, session };
    void this.#removals.remove(id, session);
    throw unavailable('the server is stopping');
  }

  #stream(key: string): CarriedStream {
    const known = this.#streams.get(key);
    if (known) return known;
    const { client, targetOf, monotonicNow } = this.#options;
    const target = targetOf(key);
    if (target === 'unreadable') throw unavailable('the upstream of this stream cannot be read: set it again');
    if (!target) throw unsupported('this stream name cannot be used at the upstream of the account');
    const state = new UpstreamStream({
      ask: () => client.liveState(target),
      onLive: () => this.emit('live', key, null, stream.publisher?.kinds ?? []),
      onOver: (wasLive) => stream.publisher?.open && this.#losePublisher(stream.publisher.open, wasLive),
      now: monotonicNow,
    });
    const stream: CarriedStream = { key, target, state, publisher: undefined, viewers: new Map(), connecting: 0 };
    this.#streams.set(key, stream);
    return stream;
  }

  #session(session: OpenSession, answer: string): Pick<MediaSession, 'id' | 'answer' | 'renew'> {
    return {
      id: session.id,
      answer,
      renew: async () => {
        mustBeOpenSession(session);
        throw unsupported('the upstream of this stream cannot move a session to another network path: connect again');
      },
    };
  }

  /** @param wasLive whether its media arrived until now */
  #endPublisher(session: OpenSession, wasLive = session.stream.state.isLive): void {
    const { stream } = session;
    if (stream.publisher?.open !== session) return;
    stream.publisher = undefined;
    stream.state.end();
    const removal = this.#removals.remove(session.id, session.session);
    this.#removing.set(stream.key, removal);
    void removal.finally(() => this.#removing.get(stream.key) === removal && this.#removing.delete(stream.key));
    if (wasLive) this.#ended(stream);
    this.#forgetIfUnused(stream);
  }

  #losePublisher(session: OpenSession, wasLive?: boolean): void {
    this.#endPublisher(session, wasLive);
    this.emit('session-lost', session.id, 'transport_lost');
  }

  #losePublishers(): void {
    for (const { publisher } of Array.from(this.#streams.values()))
      if (publisher?.open) this.#losePublisher(publisher.open);
  }

  /** Upstreams end the sessions of viewers with the broadcast, or leave them without media: each connects again. */
  #ended(stream: CarriedStream): void {
    if (!this.#closing.signal.aborted) {
      for (const viewer of Array.from(stream.viewers.values())) {
        this.#endViewer(viewer);
        this.emit('session-lost', viewer.id, 'transport_lost');
      }
    }
    this.emit('ended', stream.key, null);
  }

  #endViewer(session: OpenSession): void {
    if (!session.stream.viewers.delete(session.id)) return;
    void this.#removals.remove(session.id, session.session);
    this.#forgetIfUnused(session.stream);
  }

  /** The next session of the stream reads anew which upstream it has. */
  #forgetIfUnused(stream: CarriedStream): void {
    if (stream.publisher || stream.viewers.size > 0 || stream.connecting > 0) return;
    if (this.#streams.get(stream.key) === stream) this.#streams.delete(stream.key);
  }

  async #whenRemoved(key: string): Promise<void> {
    await Promise.race([this.#removing.get(key), setTimeout(REMOVED_WITHIN_MS, undefined, { ref: false })]);
  }

  #mustBeOpen(): void {
    if (this.#closing.signal.aborted) throw unavailable('the server is stopping');
  }
}

function unavailable(message: string): MediaError {
  return new MediaError('engine_unavailable', message);
}

function unsupported(message: string): MediaError {
  return new MediaError('engine_unsupported', message);
}

/** @throws {MediaError} `engine_unavailable` */
function mustBeOpenSession(session: OpenSession): void {
  const { viewers, publisher } = session.stream;
  if (publisher?.open !== session && !viewers.has(session.id)) throw unavailable('the session has ended');
}
