import type { ReceptionState } from '../../engine/media-figures.js';
import type { SourceId } from '../../engine/media-track.js';
import type { SenderReport } from '../rtcp/rtcp.js';
import type { SourceTransport } from '../stream/router.js';
import type { KeyframeUrgency } from './keyframe-authority.js';
import { ReceivedSequences } from './received-sequences.js';
import type { RtpEncoding } from './rtp-encoding.js';
import {
  Source,
  type KeyframeRequester,
  type SourceDescription,
  type SourceEvents,
  type SourceOptions,
  type SourceTrack,
} from './source.js';
import { WantedEncodings } from './wanted-encodings.js';

export interface FedSourceOptions {
  readonly id: SourceId;
  readonly tracks: readonly SourceTrack[];
  readonly events: SourceEvents;
  /** A keyframe of the encoding with this index is needed. */
  readonly onKeyframeRequest: (encoding: number, urgency: KeyframeUrgency) => void;
}

export interface DescribedSourceOptions extends FedSourceOptions {
  /** Whoever passes the packets is to pass these encodings of the video and no other, by index. */
  readonly onWanted: (encodings: readonly number[]) => void;
}

export interface FedPacket {
  /** Extended. */
  readonly sequence: number;
  readonly packet: Buffer;
  /** When it came to this machine, by `performance.now()`. */
  readonly arrivedAt: number;
}

/**
 * A source that is no peer: its packets are passed by calls. A relay that was paused begins with its last keyframe, of
 * which it may have passed a part before. Nothing is delivered twice: SRTP would encrypt two packets to one viewer, which
 * differ, with one nonce.
 */
export abstract class FedSource implements SourceTransport, KeyframeRequester {
  readonly source: Source;
  readonly #onKeyframeRequest: FedSourceOptions['onKeyframeRequest'];
  readonly #encodings: readonly RtpEncoding[];
  /** By encoding. */
  readonly #received: readonly ReceivedSequences[];

  constructor({ id, tracks, events, onKeyframeRequest }: FedSourceOptions, options: SourceOptions = {}) {
    this.#onKeyframeRequest = onKeyframeRequest;
    this.source = new Source(id, tracks, this, events, options);
    this.#encodings = this.source.encodings;
    this.#received = this.#encodings.map(() => new ReceivedSequences());
  }

  get needsTickSoon(): boolean {
    return this.source.isCatchingUp;
  }

  /** @param index of the encoding, in the order of `Source.encodings` */
  deliver(index: number, { sequence, packet, arrivedAt }: FedPacket, now: number): void {
    const encoding = this.#encodings[index];
    if (!encoding || !this.#received[index]!.add(sequence)) return;
    this.source.onArrival(arrivedAt, now);
    this.source.deliver(encoding, packet, sequence, now);
  }

  onSenderReport(index: number, report: SenderReport, now: number): void {
    const encoding = this.#encodings[index];
    if (encoding) this.source.onSenderReport(encoding, report, now);
  }

  /** The encoding's publisher is asked for keyframes in vain, as whoever passes the packets says. */
  keepGroup(index: number): void {
    this.#encodings[index]?.keepGroup();
  }

  requestKeyframe(encoding: RtpEncoding, urgency: KeyframeUrgency): void {
    this.#onKeyframeRequest(this.#encodings.indexOf(encoding), urgency);
  }

  /** Nothing to do: whoever passes the packets requests lost ones. */
  tick(_now: number): void {}
}

/** A source of another worker, with every packet that the home received of it. */
export class RelayedSource extends FedSource {
  readonly isRelayed = true;

  constructor(options: FedSourceOptions) {
    super(options, { isRelayed: true });
  }
}

/** A source of which whoever passes the packets says what there is, and passes only what is wanted. */
export class DescribedSource extends FedSource {
  /** False: this worker is the home of the source on its server, and reports its events. */
  readonly isRelayed: boolean;
  readonly #onWanted: DescribedSourceOptions['onWanted'];
  readonly #wanted = new WantedEncodings();

  constructor(options: DescribedSourceOptions, { isRelayed }: { readonly isRelayed: boolean }) {
    // Whoever passes the packets decides when the publisher is asked for keyframes.
    super(options, { isRelayed: true, isDescribed: true });
    this.isRelayed = isRelayed;
    this.#onWanted = options.onWanted;
  }

  override get needsTickSoon(): boolean {
    return super.needsTickSoon || this.#wanted.isChanged(this.#inUse());
  }

  describe(description: SourceDescription, now: number): void {
    this.source.describe(description, now);
    this.tick(now);
  }

  override tick(now: number): void {
    const wanted = this.#wanted.update(this.#inUse(), now);
    if (wanted) this.#onWanted(wanted);
  }

  #inUse(): readonly number[] {
    return this.source.video.flatMap(({ isWanted }, index) => (isWanted ? index : []));
  }
}

/** A source that the server adds, such as an RTMP encoder: this worker is its home. */
export class AddedSource extends FedSource {
  #before = { packets: 0, shed: 0 };

  takeReception(): ReceptionState {
    const { packetsIn, shed, bitrate, tracks } = this.source;
    const before = this.#before;
    this.#before = { packets: packetsIn, shed };
    const codecs = Object.fromEntries(tracks.map(({ kind, format }) => [kind, format.codec]));
    return { packets: packetsIn - before.packets, lost: 0, shed: shed - before.shed, jitterMs: 0, bitrate, codecs };
  }
}
