import type { ReceptionState, SourceId } from '../../media-engine.js';
import type { SenderReport } from '../rtcp/rtcp.js';
import type { SourceTransport } from '../stream/router.js';
import type { KeyframeUrgency } from './keyframe-authority.js';
import type { RtpEncoding } from './rtp-encoding.js';
import { Source, type KeyframeRequester, type SourceEvents, type SourceOptions, type SourceTrack } from './source.js';

export interface FedSourceOptions {
  readonly id: SourceId;
  readonly tracks: readonly SourceTrack[];
  readonly events: SourceEvents;
  /** A keyframe of the encoding with this index is needed. */
  readonly onKeyframeRequest: (encoding: number, urgency: KeyframeUrgency) => void;
}

export interface FedPacket {
  /** Extended. */
  readonly sequence: number;
  readonly packet: Buffer;
  /** When it came to this machine, by `performance.now()`. */
  readonly arrivedAt: number;
}

/** A source that is no peer: its packets are passed by calls, complete and in order. */
export abstract class FedSource implements SourceTransport, KeyframeRequester {
  readonly source: Source;
  readonly #onKeyframeRequest: FedSourceOptions['onKeyframeRequest'];
  readonly #encodings: readonly RtpEncoding[];

  constructor({ id, tracks, events, onKeyframeRequest }: FedSourceOptions, options: SourceOptions = {}) {
    this.#onKeyframeRequest = onKeyframeRequest;
    this.source = new Source(id, tracks, this, events, options);
    this.#encodings = this.source.encodings;
  }

  get needsTickSoon(): boolean {
    return this.source.isCatchingUp;
  }

  /** @param index of the encoding, in the order of `Source.encodings` */
  deliver(index: number, { sequence, packet, arrivedAt }: FedPacket, now: number): void {
    const encoding = this.#encodings[index];
    if (!encoding) return;
    this.source.onArrival(arrivedAt, now);
    this.source.deliver(encoding, packet, sequence, now);
  }

  onSenderReport(index: number, report: SenderReport, now: number): void {
    const encoding = this.#encodings[index];
    if (encoding) this.source.onSenderReport(encoding, report, now);
  }

  requestKeyframe(encoding: RtpEncoding, urgency: KeyframeUrgency): void {
    this.#onKeyframeRequest(this.#encodings.indexOf(encoding), urgency);
  }

  /** Nothing to do: whoever passes the packets requests lost ones. */
  tick(): void {}
}

/** A source of another worker, with every packet that the home received of it. */
export class RelayedSource extends FedSource {
  readonly isRelayed = true;

  constructor(options: FedSourceOptions) {
    super(options, { isRelayed: true });
  }
}

/** A source that the server adds, such as an RTMP encoder: this worker is its home. */
export class AddedSource extends FedSource {
  #before = { packets: 0, shed: 0 };

  takeReception(): ReceptionState {
    const { packetsIn, shed, tracks } = this.source;
    const before = this.#before;
    this.#before = { packets: packetsIn, shed };
    const codecs = Object.fromEntries(tracks.map(({ kind, format }) => [kind, format.codec]));
    return { packets: packetsIn - before.packets, lost: 0, shed: shed - before.shed, jitterMs: 0, codecs };
  }
}
