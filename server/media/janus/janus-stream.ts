import { randomUUID } from 'node:crypto';
import {
  MediaError,
  type MediaSession,
  type OfferedViewing,
  type TrackKind,
  type VideoCodec,
} from '../media-engine.js';
import type { JanusConnection } from './janus-connection.js';
import { RoomSubscriber } from './room-subscriber.js';
import { VideoRoom, type Feed, type RoomOptions, type RoomPublisher } from './video-room.js';

/** One Janus. */
export interface JanusServer {
  readonly connection: JanusConnection;
  /** The address of an edge at which it receives RTP. Undefined: publishers connect to this Janus. */
  readonly rtpAddress: string | undefined;
}

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

/** A room that several sessions use. It is destroyed after the last. */
interface SharedRoom {
  readonly server: JanusServer;
  readonly room: Promise<VideoRoom>;
  uses: number;
  /** Of an edge: the publisher as it is known there. */
  relayed: { readonly of: Feed; readonly feed: Promise<Feed> } | undefined;
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

const NOBODY: Publisher = { name: 'none' };

/** One stream: its publisher, its viewers, and a room in each Janus that they are connected to. */
export class JanusStream {
  readonly #origin: JanusServer;
  readonly #roomOptions: RoomOptions;
  readonly #listener: StreamListener;
  readonly #rooms = new Map<JanusServer, SharedRoom>();
  readonly #viewers = new Map<string, Viewer>();
  /** Ends an open session, by its id. */
  readonly #ends = new Map<string, () => void>();
  #publisher: Publisher = NOBODY;

  constructor(origin: JanusServer, roomOptions: RoomOptions, listener: StreamListener) {
    this.#origin = origin;
    this.#roomOptions = roomOptions;
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
    return this.#rooms.get(server)?.uses ?? 0;
  }

  /** @throws {MediaError} `stream_in_use`, `invalid_sdp`, `engine_unavailable` */
  async publish(offer: string, codec: VideoCodec | undefined): Promise<MediaSession> {
    if (this.#publisher.name !== 'none') throw new MediaError('stream_in_use', 'this stream has a publisher');
    const id = randomUUID();
    this.#publisher = { name: 'connecting' };
    const shared = this.#acquire(this.#origin);
    let published: RoomPublisher | undefined;
    const end = (): boolean => {
      if (!this.#ends.delete(id)) return false;
      this.#publisherGone();
      void published?.close();
      this.#release(shared);
      return true;
    };
    const lose = (cause: LossCause): void => {
      if (end()) this.#listener.onLost(id, cause);
    };
    this.#ends.set(id, end);
    try {
      const room = await shared.room;
      published = await room.publish(offer, codec, {
        onUp: () => this.#ends.has(id) && published && this.#publisherUp(published.feed),
        onMedia: (kind, isReceiving) => this.#ends.has(id) && this.#onMedia(kind, isReceiving),
        onHangup: () => lose('transport_lost'),
        onLost: () => lose('media_engine_restarted'),
      });
    } catch (error) {
      end();
      throw error;
    }
    if (!this.#ends.has(id)) {
      void published.close();
      throw new MediaError('engine_unavailable', 'the media engine is closed');
    }
    return { id, answer: published.answer, renew: cannotMove, close: () => void end() };
  }

  /** @throws {MediaError} `engine_unavailable` */
  async offer(server: JanusServer, kinds: readonly TrackKind[]): Promise<OfferedViewing> {
    const id = randomUUID();
    const shared = this.#acquire(server);
    const end = (): boolean => {
      if (!this.#ends.delete(id)) return false;
      void this.#viewers.get(id)?.subscriber.close();
      this.#viewers.delete(id);
      this.#release(shared);
      return true;
    };
    const lose = (cause: LossCause): void => {
      if (end()) this.#listener.onLost(id, cause);
    };
    this.#ends.set(id, end);
    let subscriber: RoomSubscriber;
    try {
      subscriber = await RoomSubscriber.open(await shared.room, kinds, {
        onUp: () => this.#viewerUp(id),
        onHangup: () => lose('transport_lost'),
        onLost: () => lose('media_engine_restarted'),
      });
    } catch (error) {
      end();
      throw error;
    }
    if (!this.#ends.has(id)) {
      void subscriber.close();
      throw new MediaError('engine_unavailable', 'the media engine is closed');
    }
    const viewer = { id, shared, subscriber, isReachable: false };
    this.#viewers.set(id, viewer);
    void this.#show(viewer);
    return {
      id,
      offer: subscriber.offer,
      mids: subscriber.mids,
      accept: (answer) => subscriber.accept(answer),
      select: hasNoChoice,
      project: hasNoChoice,
      unproject: hasNoChoice,
      close: () => void end(),
    };
  }

  /** Ends every session, without a word to the listener except that the stream ended. */
  close(): void {
    for (const end of Array.from(this.#ends.values())) end();
  }

  #publisherUp(feed: Feed): void {
    this.#publisher = { name: 'connected', feed, receiving: [], reported: [] };
    void this.#showAll();
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
    for (const shared of this.#rooms.values()) this.#endRelay(shared, left);
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
      await subscriber.show(await this.#feedIn(shared));
    } catch (error) {
      if (this.#viewers.has(id)) this.#listener.onFault(error);
    }
  }

  /** The publisher as the viewers of a room know it. */
  async #feedIn(shared: SharedRoom): Promise<Feed | undefined> {
    if (this.#publisher.name !== 'connected') return undefined;
    const { feed } = this.#publisher;
    if (shared.server.rtpAddress === undefined) return feed;
    if (shared.relayed?.of !== feed) shared.relayed = { of: feed, feed: this.#relay(feed, shared) };
    const relayed = await shared.relayed.feed;
    // The publisher may have left meanwhile.
    return shared.relayed?.of === feed ? relayed : undefined;
  }

  /** Sends the publisher to an edge. */
  async #relay(feed: Feed, { server, room: opening }: SharedRoom): Promise<Feed> {
    const host = server.rtpAddress!;
    const [room, origin] = await Promise.all([opening, this.#rooms.get(this.#origin)!.room]);
    const remote = await room.addRemotePublisher(feed.tracks, host);
    try {
      await origin.publishRemotely(feed, relayName(server), { host, ...remote });
    } catch (error) {
      await room.removeRemotePublisher(remote.feed).catch(() => {});
      throw error;
    }
    return remote.feed;
  }

  /** @param left when no viewer is shown the publisher any more */
  #endRelay(shared: SharedRoom, left = Promise.resolve()): void {
    const { relayed } = shared;
    if (!relayed) return;
    shared.relayed = undefined;
    const origin = this.#rooms.get(this.#origin)?.room;
    const end = async (): Promise<void> => {
      const feed = await relayed.feed;
      await left;
      await (await shared.room).removeRemotePublisher(feed);
      // A publisher who left is sent nowhere any more.
      await (await origin)?.unpublishRemotely(relayed.of, relayName(shared.server));
    };
    // A relay that did not begin was reported. One that is gone already need not end.
    end().catch(() => {});
  }

  #acquire(server: JanusServer): SharedRoom {
    const known = this.#rooms.get(server);
    if (known) {
      known.uses++;
      return known;
    }
    const forget = () => this.#rooms.get(server) === shared && this.#rooms.delete(server);
    const room = VideoRoom.create(server.connection, { ...this.#roomOptions, onLost: forget });
    const shared: SharedRoom = { server, room, uses: 1, relayed: undefined };
    this.#rooms.set(server, shared);
    // Every user of the room receives the error.
    room.catch(forget);
    return shared;
  }

  #release(shared: SharedRoom): void {
    shared.uses--;
    if (shared.uses > 0) return;
    this.#endRelay(shared);
    if (this.#rooms.get(shared.server) === shared) this.#rooms.delete(shared.server);
    shared.room.then((room) => room.destroy()).catch(() => {});
    if (this.#rooms.size === 0) this.#listener.onEmpty();
  }
}

/** Names an edge among those that a publisher is sent to. */
const relayName = ({ connection }: JanusServer): string => connection.url;

const cannotMove = (): Promise<never> =>
  Promise.reject(
    new MediaError('engine_unsupported', 'Janus cannot move this session to another network path; connect again'),
  );
const hasNoChoice = (): Promise<never> =>
  Promise.reject(new MediaError('engine_unsupported', 'with Janus a viewer cannot choose layers or sources'));
