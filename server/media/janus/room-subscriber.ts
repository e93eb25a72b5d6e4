import type { TrackKind } from '../engine/media-track.js';
import type { HandleListener, JanusHandle } from './janus-connection.js';
import { janusAnswer, midsOf, viewerOffer } from './subscriber-sdp.js';
import { askPlugin, type Feed, type FeedTrack, type VideoRoom } from './video-room.js';

/** Of a request `switch`: puts a track of a publisher on an m-line of a subscription. */
export interface Switch {
  readonly feed: number;
  readonly mid: string;
  readonly sub_mid: string;
}

/**
 * A viewer in a room. Its m-lines, one for each codec, show the dummy publisher until a publisher has that codec, and
 * again when the publisher is gone.
 */
export class RoomSubscriber {
  /** The SDP offer for the viewer. */
  readonly offer: string;
  readonly mids: Readonly<Partial<Record<TrackKind, string>>>;
  readonly room: VideoRoom;
  readonly #handle: JanusHandle;
  readonly #janusOffer: string;
  readonly #tracks: readonly FeedTrack[];
  /** For Janus. Undefined: the viewer has not answered yet. */
  #answer: string | undefined;
  #wanted: Feed | undefined;
  #shown: Feed;
  /** One request after the other. */
  #work: Promise<void> = Promise.resolve();

  /** @throws {MediaError} `engine_unavailable` */
  static async open(room: VideoRoom, kinds: readonly TrackKind[], listener: HandleListener): Promise<RoomSubscriber> {
    const { handle, offer, tracks } = await room.subscribe(listener);
    return new RoomSubscriber(room, handle, offer, tracks, kinds);
  }

  private constructor(
    room: VideoRoom,
    handle: JanusHandle,
    janusOffer: string,
    tracks: readonly FeedTrack[],
    kinds: readonly TrackKind[],
  ) {
    this.room = room;
    this.#handle = handle;
    this.#janusOffer = janusOffer;
    this.#tracks = tracks;
    this.#shown = room.dummy;
    this.offer = viewerOffer(janusOffer, kinds);
    this.mids = midsOf(this.offer);
  }

  /** @throws {MediaError} `invalid_sdp`, `engine_unavailable` */
  async accept(answer: string): Promise<void> {
    const sdp = janusAnswer(answer, this.#janusOffer);
    await askPlugin(this.#handle, { request: 'start' }, { type: 'answer', sdp });
    this.#answer = sdp;
    await this.#update();
  }

  /** Shows a publisher of the room. Undefined: nothing; the last picture stays. Before the answer it is only noted. */
  async show(feed: Feed | undefined): Promise<void> {
    this.#wanted = feed;
    await this.#update();
  }

  close(): Promise<void> {
    return this.#handle.detach();
  }

  #update(): Promise<void> {
    const next = this.#work.then(() => this.#switch());
    this.#work = next.catch(() => {});
    return next;
  }

  async #switch(): Promise<void> {
    const wanted = this.#wanted ?? this.room.dummy;
    if (this.#answer === undefined || wanted === this.#shown) return;
    const streams = switches(this.#tracks, this.#shown, wanted, this.room.dummy);
    if (streams.length) await this.#request(streams, this.#answer);
    this.#shown = wanted;
  }

  async #request(streams: readonly Switch[], answer: string): Promise<void> {
    const { jsep } = await askPlugin(this.#handle, { request: 'switch', streams });
    // Janus offers again when a publisher left by itself. The m-lines are the same, and so is the answer.
    if (jsep) await askPlugin(this.#handle, { request: 'start' }, { type: 'answer', sdp: answer });
  }
}

/**
 * What has to change for a subscription to show another publisher. M-lines of the codecs that the publisher before had
 * go back to the dummy publisher, so that each always has a publisher.
 * @param tracks of the subscription
 */
export function switches(tracks: readonly FeedTrack[], shown: Feed, wanted: Feed, dummy: Feed): Switch[] {
  const sourceOf = (feed: Feed, codec: string) => (feed.tracks.some((track) => track.codec === codec) ? feed : dummy);
  return tracks.flatMap(({ codec, mid: subMid }) => {
    const next = sourceOf(wanted, codec);
    const track = next.tracks.find((each) => each.codec === codec);
    if (!track || next === sourceOf(shown, codec)) return [];
    return [{ feed: next.id, mid: track.mid, sub_mid: subMid }];
  });
}
