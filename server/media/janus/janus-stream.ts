import { randomUUID } from 'node:crypto';
import { attempt } from '../../faults/contain.js';
import { after } from '../../faults/timers.js';
import { MediaError } from '../engine/media-error.js';
import type { OfferedViewing, PublishingSession } from '../engine/media-session.js';
import type { TrackKind, VideoCodec } from '../engine/media-track.js';
import type { HandleListener } from './janus-connection.js';
import type { JanusServer } from './janus-server.js';
import { RoomSubscriber } from './room-subscriber.js';
import { SharedRooms, type SharedRoom } from './shared-rooms.js';
import type { Feed, RoomOptions, RoomPublisher, VideoRoom } from './video-room.js';

export type LossCause = 'transport_lost' | 'media_engine_restarted';

/** What a stream reports. */
export interface StreamListener {
  onLive(tracks: readonly TrackKind[]): void;
  onUpdated(tracks: readonly TrackKind[]): void;
  onEnded(): void;
  onReachable(sessionId: string): void;
  onLost(sessionId: string, cause: LossCause): void;
  /** Nothing of the stream is open any more. */
  onEmpty(): void;
  /** A viewer, or all viewers of an edge, could not be shown the publisher. */
  onFault(error: unknown): void;
}

type Publisher =
  | { readonly name: 'none' }
  /** Janus has not answered, or the peer is not connected. */
  | { readonly name: 'connecting' }
  | {
      readonly name: 'connected';
      readonly feed: Feed;
      /** The kinds that arrive now. */
      readonly receiving: readonly TrackKind[];
      /** The kinds that were last reported. Empty: it is not live. */
      readonly reported: readonly TrackKind[];
    };

interface Viewer {
  readonly id: string;
  readonly shared: SharedRoom;
  readonly subscriber: RoomSubscriber;
  isReachable: boolean;
}

interface SessionSteps<Opened> {
  begin(session: {
    readonly id: string;
    readonly room: VideoRoom;
    /** Whether the session has not ended meanwhile. */
    readonly isOpen: () => boolean;
    readonly loss: Pick<HandleListener, 'onHangup' | 'onLost'>;
  }): Promise<Opened>;
  /** Called before what was opened is closed. */
  onEnd(id: string): void;
}

interface OpenSession<Opened> {
  readonly id: string;
  readonly shared: SharedRoom;
  readonly opened: Opened;
  /** A second call does nothing. */
  readonly close: () => void;
}

const NOBODY: Publisher = { name: 'none' };

/** One stream: its publisher, its viewers, and a room in each Janus that they are connected to. */
export class JanusStream {
  readonly #origin: JanusServer;
  readonly #listener: StreamListener;
  readonly #rooms: SharedRooms;
  readonly #showAgainAfterMs: number;
  readonly #viewers = new Map<string, Viewer>();
  /** Ends an open session, by its id. */
  readonly #ends = new Map<string, () => void>();
  #publisher: Publisher = NOBODY;
  /** Viewers could not be shown the publisher: it is tried again. */
  #again: NodeJS.Timeout | undefined;

  constructor(origin: JanusServer, roomOptions: RoomOptions, showAgainAfterMs: number, listener: StreamListener) {
    this.#origin = origin;
    this.#showAgainAfterMs = showAgainAfterMs;
    this.#rooms = new SharedRooms(origin, roomOptions);
    this.#listener = listener;
  }

  get isLive(): boolean {
    return this.#publisher.name === 'connected' && this.#publisher.reported.length > 0;
  }

  /** Those that media reaches. */
  get viewers(): number {
    return Array.from(this.#viewers.values()).filter(({ isReachable }) => isReachable).length;
  }

  /** How many viewers are connected to this Janus, or are about to be. */
  usesOf(server: JanusServer): number {
    return this.#rooms.usesOf(server);
  }

  /** @throws {MediaError} `stream_in_use`, `invalid_sdp`, `engine_unavailable` */
  async publish(offer: string, codec: VideoCodec | undefined): Promise<PublishingSession> {
    if (this.#publisher.name !== 'none') throw new MediaError('stream_in_use', 'this stream has a publisher');
    this.#publisher = { name: 'connecting' };
    let published: RoomPublisher | undefined;
    const session = await this.#open(this.#origin, {
      begin: async ({ room, isOpen, loss }) =>
        (published = await room.publish(offer, codec, {
          ...loss,
          onUp: () => isOpen() && published && this.#publisherUp(published.feed),
          onMedia: (kind, isReceiving) => isOpen() && this.#onMedia(kind, isReceiving),
        })),
      onEnd: () => this.#publisherGone(),
    });
    const { id, opened, close } = session;
    return {
      id,
      answer: opened.answer,
      renew: cannotMove,
      limitBitrate: (maxBitrate) => opened.limitBitrate(maxBitrate),
      close,
    };
  }

  /** @throws {MediaError} `engine_unavailable` */
  async offer(server: JanusServer, kinds: readonly TrackKind[]): Promise<OfferedViewing> {
    const { id, shared, opened, close } = await this.#open(server, {
      begin: ({ id, room, loss }) => RoomSubscriber.open(room, kinds, { ...loss, onUp: () => this.#viewerUp(id) }),
      onEnd: (id) => void this.#viewers.delete(id),
    });
    const viewer = { id, shared, subscriber: opened, isReachable: false };
    this.#viewers.set(id, viewer);
    attempt('media', () => this.#show(viewer));
    return {
      id,
      offer: opened.offer,
      mids: opened.mids,
      accept: (answer) => opened.accept(answer),
      select: hasNoChoice,
      project: hasNoChoice,
      unproject: hasNoChoice,
      close,
    };
  }
  /** Ends every session, without a word to the listener except that the stream ended. */
  close(): void {
    for (const end of Array.from(this.#ends.values())) end();
    clearTimeout(this.#again);
  }

  /** Opens a session in the room of a Janus. The room is released when the session ends, or could not be opened. */
  async #open<Opened extends RoomPublisher | RoomSubscriber>(
    server: JanusServer,
    { begin, onEnd }: SessionSteps<Opened>,
  ): Promise<OpenSession<Opened>> {
    const id = randomUUID();
    const shared = this.#rooms.acquire(server);
    let opened: Opened | undefined;
    const end = (): boolean => {
      if (!this.#ends.delete(id)) return false;
      onEnd(id);
      void opened?.close();
      if (this.#rooms.release(shared)) this.#listener.onEmpty();
      return true;
    };
    const lose = (cause: LossCause): void => {
      if (end()) this.#listener.onLost(id, cause);
    };
    const isOpen = (): boolean => this.#ends.has(id);
    const loss = { onHangup: () => lose('transport_lost'), onLost: () => lose('media_engine_restarted') };
    this.#ends.set(id, end);
    try {
      opened = await begin({ id, room: await shared.room, isOpen, loss });
    } catch (error) {
      end();
      throw error;
    }
    if (!isOpen()) {
      void opened.close();
      throw new MediaError('engine_unavailable', 'the media engine is closed');
    }
    return { id, shared, opened, close: () => void end() };
  }

  #publisherUp(feed: Feed): void {
    this.#publisher = { name: 'connected', feed, receiving: [], reported: [] };
    attempt('media', () => this.#showAll());
  }

  #onMedia(kind: string, isReceiving: boolean): void {
    const before = this.#publisher;
    if (before.name !== 'connected') return;
    const own = before.feed.tracks.map((track) => track.kind);
    const receiving = own.filter((each) => (each === kind ? isReceiving : before.receiving.includes(each)));
    // The other kind arrives soon after the first. If no kind arrives, the source is still live.
    const reported = before.reported.length && receiving.length ? receiving : own;
    const isFirst = !before.reported.length;
    if (isFirst && !isReceiving) return;
    this.#publisher = { ...before, receiving, reported };
    if (isFirst) this.#listener.onLive(reported);
    else if (reported.length !== before.reported.length) this.#listener.onUpdated(reported);
  }

  #publisherGone(): void {
    const { isLive } = this;
    this.#publisher = NOBODY;
    const left = this.#showAll();
    // Viewers leave it first: Janus would offer to them again.
    this.#rooms.endRelays(left);
    if (isLive) this.#listener.onEnded();
  }

  #viewerUp(id: string): void {
    const viewer = this.#viewers.get(id);
    if (!viewer) return;
    viewer.isReachable = true;
    this.#listener.onReachable(id);
  }

  async #showAll(): Promise<void> {
    await Promise.all(Array.from(this.#viewers.values(), (viewer) => this.#show(viewer)));
  }

  /** Shows the publisher that there is now. */
  async #show({ id, shared, subscriber }: Viewer): Promise<void> {
    try {
      const publisher = this.#publisher;
      await subscriber.show(
        publisher.name === 'connected' ? await this.#rooms.feedIn(shared, publisher.feed) : undefined,
      );
    } catch (error) {
      // The others have the same fault, and are shown it again together.
      if (!this.#viewers.has(id) || this.#again) return;
      this.#listener.onFault(error);
      this.#again = after('media', this.#showAgainAfterMs, () => {
        this.#again = undefined;
        return this.#showAll();
      }).unref();
    }
  }
}

const cannotMove = (): Promise<never> =>
  Promise.reject(
    new MediaError('engine_unsupported', 'Janus cannot move this session to another network path; connect again'),
  );
const hasNoChoice = (): Promise<never> =>
  Promise.reject(new MediaError('engine_unsupported', 'with Janus a viewer cannot choose layers or sources'));
