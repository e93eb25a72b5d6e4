import { connect } from 'node:net';
import type { SourceId } from '../../media-engine.js';
import type { RtpEncoding } from '../producer/rtp-encoding.js';
import type { SenderReport } from '../rtcp/rtcp.js';
import type { RouterHandle } from '../worker/sfu.js';
import { Source, type KeyframeRequester, type SourceTrack } from '../producer/source.js';
import type { SourceTransport, Router } from '../stream/router.js';
import type { RelayMessage } from './relay-frames.js';
import { RelayConnection } from './relay-connection.js';

const TRY_AGAIN_AFTER_MS = 200;
/** A home that has not said by now what there is may take a while to: nobody waits for that. */
const CURRENT_WITHIN_MS = 500;

/**
 * A stream whose publishers are in another process, its home: what they send is brought from there. A connection that
 * breaks is made again, until somebody says that the home is another, or that nobody watches here any more.
 */
export class RelayedStream {
  readonly #name: string;
  readonly #path: string;
  readonly #stream: RouterHandle;
  readonly #sources = new Map<number, RelayedSource>();
  #link: RelayConnection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #markCurrent: () => void = () => {};
  /** Done when the sources are known that the home had, or cannot be known soon. */
  readonly ready: Promise<void>;

  /** @param path where the home listens */
  constructor(name: string, path: string, stream: RouterHandle) {
    this.#name = name;
    this.#path = path;
    this.#stream = stream;
    this.ready = new Promise((resolve) => (this.#markCurrent = resolve));
    const giveUp = setTimeout(this.#markCurrent, CURRENT_WITHIN_MS);
    void this.ready.then(() => clearTimeout(giveUp));
    this.#connect();
  }

  get path(): string {
    return this.#path;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#markCurrent();
    this.#link?.close();
    this.#endAll();
    this.#stream.release();
  }

  #connect(): void {
    const link = new RelayConnection(connect(this.#path), {
      onMessage: (message) => this.#hear(link, message),
      onPacket: (source, encoding, sequence, packet) =>
        this.#sources.get(source)?.deliver(encoding, sequence, packet, performance.now()),
      onDrain: () => {},
      onClosed: () => {
        this.#endAll();
        this.#timer = setTimeout(() => this.#connect(), TRY_AGAIN_AFTER_MS);
      },
    });
    this.#link = link;
    link.send({ type: 'follow', stream: this.#name });
  }

  #hear(link: RelayConnection, message: RelayMessage): void {
    if (message.type === 'source') {
      const source = new RelayedSource(link, message.source, message.id, message.tracks, this.#stream.hub);
      this.#sources.set(message.source, source);
      this.#stream.hub.addSource(source);
    } else if (message.type === 'ended') {
      this.#end(message.source);
    } else if (message.type === 'current') {
      this.#markCurrent();
    } else if (message.type === 'clock') {
      this.#sources.get(message.source)?.tellTime(message.encoding, message.report, performance.now());
    }
  }

  #endAll(): void {
    for (const number of this.#sources.keys()) this.#end(number);
  }

  #end(number: number): void {
    const source = this.#sources.get(number);
    this.#sources.delete(number);
    if (source) this.#stream.hub.removeSource(source, performance.now());
  }
}

/** A source of another process: this one has every packet of it that the other has, and asks it for keyframes. */
class RelayedSource implements SourceTransport, KeyframeRequester {
  readonly relayed = true;
  readonly needsTickSoon = false;
  readonly source: Source;
  readonly #link: RelayConnection;
  readonly #number: number;
  readonly #encodings: readonly RtpEncoding[];

  constructor(link: RelayConnection, number: number, id: SourceId, tracks: readonly SourceTrack[], hub: Router) {
    this.#link = link;
    this.#number = number;
    this.source = new Source(id, tracks, this, hub.sourceEvents);
    this.#encodings = this.source.encodings;
  }

  deliver(index: number, sequence: number, packet: Buffer, now: number): void {
    const encoding = this.#encodings[index];
    if (encoding) this.source.deliver(encoding, packet, sequence, now);
  }

  tellTime(index: number, report: SenderReport, now: number): void {
    const encoding = this.#encodings[index];
    if (encoding) this.source.onSenderReport(encoding, report, now);
  }

  requestKeyframe(encoding: RtpEncoding): void {
    const index = this.#encodings.indexOf(encoding);
    this.#link.send({ type: 'keyframe', source: this.#number, encoding: index });
  }

  /** What is missing is asked for where the publisher is. */
  tick(): void {}
}
