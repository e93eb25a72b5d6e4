import { VideoRoom, type Feed, type RoomOptions } from './video-room.js';
import type { JanusServer } from './janus-server.js';

/** A publisher that is sent to an edge. */
interface Relayed {
  readonly of: Feed;
  /** The publisher as it is known there. */
  readonly feed: Promise<Feed>;
}

/** A room that several sessions use. It is destroyed after the last. */
export interface SharedRoom {
  readonly server: JanusServer;
  readonly room: Promise<VideoRoom>;
  uses: number;
  /** Of an edge. */
  relayed: Relayed | undefined;
}

/** The rooms of one stream: one in each Janus that its sessions are connected to. Edges are sent the publisher. */
export class SharedRooms {
  readonly #origin: JanusServer;
  readonly #options: RoomOptions;
  readonly #rooms = new Map<JanusServer, SharedRoom>();

  /** @param origin where publishers are connected */
  constructor(origin: JanusServer, options: RoomOptions) {
    this.#origin = origin;
    this.#options = options;
  }

  /** How many sessions use the room in this Janus. */
  usesOf(server: JanusServer): number {
    return this.#rooms.get(server)?.uses ?? 0;
  }

  acquire(server: JanusServer): SharedRoom {
    const known = this.#rooms.get(server);
    if (known) {
      known.uses++;
      return known;
    }
    const forget = () => this.#rooms.get(server) === shared && this.#rooms.delete(server);
    const room = VideoRoom.create(server.connection, { ...this.#options, onLost: forget });
    const shared: SharedRoom = { server, room, uses: 1, relayed: undefined };
    this.#rooms.set(server, shared);
    // Every user of the room receives the error.
    room.catch(forget);
    return shared;
  }

  /** @returns whether that was the last use of the last room */
  release(shared: SharedRoom): boolean {
    shared.uses--;
    if (shared.uses > 0) return false;
    this.#endRelay(shared);
    if (this.#rooms.get(shared.server) === shared) this.#rooms.delete(shared.server);
    shared.room.then((room) => room.destroy()).catch(() => {});
    return this.#rooms.size === 0;
  }

  /** The publisher as the viewers of a room know it. Undefined: the publisher left meanwhile. */
  async feedIn(shared: SharedRoom, feed: Feed): Promise<Feed | undefined> {
    if (shared.server.rtpAddress === undefined) return feed;
    if (shared.relayed?.of !== feed) shared.relayed = this.#beginRelay(feed, shared);
    const relayed = await shared.relayed.feed;
    return shared.relayed?.of === feed ? relayed : undefined;
  }

  /** @param left when no viewer is shown the publisher any more */
  endRelays(left: Promise<void>): void {
    for (const shared of this.#rooms.values()) this.#endRelay(shared, left);
  }

  #beginRelay(feed: Feed, shared: SharedRoom): Relayed {
    const relayed: Relayed = { of: feed, feed: this.#relay(feed, shared) };
    relayed.feed.catch(() => {
      // Whoever is to be shown the publisher next has it tried again.
      if (shared.relayed === relayed) shared.relayed = undefined;
    });
    return relayed;
  }

  /** Sends the publisher to an edge. */
  async #relay(feed: Feed, { server, room: opening }: SharedRoom): Promise<Feed> {
    const host = server.rtpAddress!;
    const [room, origin] = await Promise.all([opening, this.#rooms.get(this.#origin)!.room]);
    const remote = await room.addRemotePublisher(feed.tracks, host);
    try {
      await origin.publishRemotely(feed, relayName(server), { host, ...remote });
    } catch (error) {
      // It may be sent there all the same, if only the answer was lost.
      await origin.unpublishRemotely(feed, relayName(server)).catch(() => {});
      await room.removeRemotePublisher(remote.feed).catch(() => {});
      throw error;
    }
    return remote.feed;
  }

  #endRelay(shared: SharedRoom, left = Promise.resolve()): void {
    const { relayed } = shared;
    if (!relayed) return;
    shared.relayed = undefined;
    const origin = this.#rooms.get(this.#origin)?.room;
    const end = async (): Promise<void> => {
      const feed = await relayed.feed;
      await left;
      const removed = shared.room.then((room) => room.removeRemotePublisher(feed));
      // Also if the edge was restarted and knows nothing of it: while the publisher is sent to an edge, it cannot be sent
      // there anew.
      await removed.catch(() => {});
      // A publisher who left is sent nowhere any more.
      await (await origin)?.unpublishRemotely(relayed.of, relayName(shared.server));
    };
    // A relay that did not begin was reported. One that is gone already need not end.
    end().catch(() => {});
  }
}

/** Names an edge among those that a publisher is sent to. */
const relayName = ({ connection }: JanusServer): string => connection.url;
