import { randomBytes, randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { LocalTransport } from './embedded/sdp/answer.js';
import { writeAnswer, type AnsweredMedia } from './embedded/sdp/answer.js';
import { matchFormat, type Format } from './embedded/sdp/codecs.js';
import { negotiatePublisher, negotiateViewer, type PublishedTrack } from './embedded/sdp/negotiation.js';
import { readOffer } from './embedded/sdp/offer.js';
import {
  MediaError,
  type MediaEngine,
  type MediaEngineEvents,
  type MediaSession,
  type PublishOptions,
  type StreamStats,
  type TrackKind,
} from './media-engine.js';

interface FakePublisher {
  readonly id: string;
  readonly tracks: readonly PublishedTrack[];
  live: boolean;
  packetsIn: number;
  packetsOut: number;
}

interface FakeViewer {
  readonly id: string;
  readonly formats: Readonly<Record<TrackKind, readonly Format[]>>;
  readonly received: Record<TrackKind, number>;
}

interface FakeStream {
  publisher?: FakePublisher | undefined;
  readonly viewers: Map<string, FakeViewer>;
}

/**
 * An engine without a network, for tests of what stands on one. It reads offers and answers them as the embedded
 * engine does; peers are connected at once, and media flows when a test says so.
 */
export class FakeEngine extends EventEmitter<MediaEngineEvents> implements MediaEngine {
  readonly #streams = new Map<string, FakeStream>();
  #down = false;

  async publish(name: string, sdp: string, options: PublishOptions = {}): Promise<MediaSession> {
    this.#mustBeUp();
    const { tracks, media } = negotiatePublisher(readOffer(sdp), options.codec);
    const stream = this.#stream(name);
    if (stream.publisher) throw new MediaError('stream_in_use', 'the stream has a publisher already');
    const id = randomUUID();
    stream.publisher = { id, tracks, live: false, packetsIn: 0, packetsOut: 0 };
    return this.#session(id, media);
  }

  async view(name: string, sdp: string): Promise<MediaSession> {
    this.#mustBeUp();
    const source = (kind: TrackKind) => ({ ssrc: kind === 'audio' ? 1 : 2, cname: name, stream: 'fake', track: kind });
    const { formats, media } = negotiateViewer(readOffer(sdp), source);
    const id = randomUUID();
    this.#stream(name).viewers.set(id, { id, formats, received: { audio: 0, video: 0 } });
    return this.#session(id, media);
  }

  async stats(name: string): Promise<StreamStats> {
    this.#mustBeUp();
    const { publisher, viewers } = this.#stream(name);
    const { live = false, packetsIn = 0, packetsOut = 0 } = publisher ?? {};
    const keyframes = publisher?.tracks.some(({ kind }) => kind === 'video') ? packetsIn / publisher.tracks.length : 0;
    return {
      live,
      viewers: viewers.size,
      packetsIn,
      bytesIn: 1_000 * packetsIn,
      packetsOut,
      keyframes,
      nacksAnswered: 0,
    };
  }

  async close(): Promise<void> {
    for (const stream of this.#streams.values()) this.#unpublish(stream);
    this.#streams.clear();
    this.#down = true;
  }

  /** The publisher of the stream sends one packet of each of its tracks, the video's a keyframe. */
  flow(name: string): void {
    const { publisher, viewers } = this.#stream(name);
    if (!publisher) throw new Error(`nobody publishes ${name}`);
    for (const { kind, format } of publisher.tracks) {
      publisher.packetsIn++;
      for (const viewer of viewers.values()) {
        if (!matchFormat(viewer.formats[kind], format)) continue;
        viewer.received[kind]++;
        publisher.packetsOut++;
      }
    }
    if (publisher.live) return;
    publisher.live = true;
    const kinds = publisher.tracks.map(({ kind }) => kind);
    this.emit('live', name, kinds);
  }

  /** How many packets of the kind a viewer has got; 0 when there is no such viewer. */
  received(sessionId: string, kind: TrackKind): number {
    for (const { viewers } of this.#streams.values()) {
      const viewer = viewers.get(sessionId);
      if (viewer) return viewer.received[kind];
    }
    return 0;
  }

  /** Whether the engine still has the session. */
  has(sessionId: string): boolean {
    return this.#sessionIds().includes(sessionId);
  }

  /** The peer goes away without a word. */
  loseSession(sessionId: string): void {
    if (this.#end(sessionId)) this.emit('session-lost', sessionId, 'transport_lost');
  }

  /** The engine dies: every session is lost, and until `recover()` every call is refused. */
  breakDown(): void {
    this.#down = true;
    for (const id of this.#sessionIds()) {
      this.#end(id);
      this.emit('session-lost', id, 'media_engine_restarted');
    }
  }

  recover(): void {
    this.#down = false;
  }

  #mustBeUp(): void {
    if (this.#down) throw new MediaError('engine_unavailable', 'the media engine is not running');
  }

  #stream(name: string): FakeStream {
    const stream = this.#streams.get(name) ?? { viewers: new Map() };
    this.#streams.set(name, stream);
    return stream;
  }

  #session(id: string, media: readonly AnsweredMedia[]): MediaSession {
    return { id, answer: writeAnswer('1', media, nobody()), close: () => void this.#end(id) };
  }

  #sessionIds(): string[] {
    const ids: string[] = [];
    for (const { publisher, viewers } of this.#streams.values()) {
      if (publisher) ids.push(publisher.id);
      ids.push(...viewers.keys());
    }
    return ids;
  }

  #end(id: string): boolean {
    for (const stream of this.#streams.values()) {
      if (stream.viewers.delete(id)) return true;
      if (stream.publisher?.id === id) {
        this.#unpublish(stream);
        return true;
      }
    }
    return false;
  }

  #unpublish(stream: FakeStream): void {
    const wasLive = stream.publisher?.live;
    stream.publisher = undefined;
    if (!wasLive) return;
    for (const [name, candidate] of this.#streams) if (candidate === stream) this.emit('ended', name);
  }
}

/** Values of the right form that lead nowhere: port 9 discards. */
function nobody(): LocalTransport {
  const fingerprint = [...randomBytes(32)].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':');
  return {
    usernameFragment: randomBytes(3).toString('base64'),
    password: randomBytes(18).toString('base64'),
    fingerprint: `sha-256 ${fingerprint}`,
    setup: 'passive',
    candidates: ['candidate:1 1 UDP 2130706431 127.0.0.1 9 typ host'],
  };
}
