import type { VideoCodec } from '../../engine/media-track.js';
import type { TapListener, TapTracks } from '../../engine/tap.js';
import type { KeyframeUrgency } from '../producer/keyframe-authority.js';
import type { SourceTrack } from '../producer/source.js';
import type { SenderReport } from '../rtcp/rtcp.js';
import { payloadEnd, payloadStart, timestamp } from '../rtp/packet.js';
import { clockRate } from '../../sdp/codecs.js';
import { EncodingChoice } from './encoding-choice.js';
import { FrameAssembler, type AssembledFrame } from './frame-assembler.js';
import { PacketOrder } from './packet-order.js';
import { EncodingClock, PublisherClock } from './source-clock.js';

/** A packet that was sent again comes within this time, or it is of no use to viewers either. */
const WAIT_MS = 600;
/** More than a second of a large picture. */
const MAX_WAITING = 4_096;
/** Frames are held until sound and picture can be put on one clock, but no longer than this. */
const CLOCK_WAIT_MS = 1_000;
/** What came before the tap comes at once, and is complete after this time: then the clock is right. */
const CLOCK_SETTLE_MS = 150;
/** A request is repeated after this time if no keyframe came. */
const KEYFRAME_WAIT_MS = 1_000;

export interface TappedSourceOptions {
  readonly tracks: readonly SourceTrack[];
  readonly listener: Pick<TapListener, 'onFrame' | 'onLoss'>;
  /** @param encoding the index of the encoding: audio before video */
  readonly requestKeyframe: (encoding: number, urgency: KeyframeUrgency) => void;
  readonly keyframeEveryMs: number | undefined;
}

interface Encoding {
  readonly clock: EncodingClock;
  readonly order: PacketOrder<Buffer>;
}

interface VideoEncoding extends Encoding {
  readonly assembler: FrameAssembler;
}

interface HeldFrame extends AssembledFrame {
  readonly clock: EncodingClock;
  readonly kind: 'audio' | 'video';
}

export const tapTracks = (tracks: readonly SourceTrack[]): TapTracks => {
  const codec = tracks.find(({ kind }) => kind === 'video')?.format.codec as VideoCodec | undefined;
  return {
    video: codec && { codec },
    audio: tracks.some(({ kind }) => kind === 'audio') ? { codec: 'opus' } : undefined,
  };
};

/** Turns the packets of one source into frames: in order, on one clock, of the best encoding. `now` is ms since 1970. */
export class TappedSource {
  readonly #options: TappedSourceOptions;
  readonly #encodings: readonly Encoding[];
  readonly #video: readonly VideoEncoding[];
  readonly #choice: EncodingChoice;
  /** Undefined: frames are passed on at once. */
  #held: HeldFrame[] | undefined = [];
  #heldSince: number | undefined;
  #lastTime = { audio: -Infinity, video: -Infinity };
  #lastKeyframeAt = -Infinity;
  #requestedAt = -Infinity;

  constructor(options: TappedSourceOptions) {
    this.#options = options;
    const publisher = new PublisherClock();
    const { tracks } = options;
    const audio = tracks.filter(({ kind }) => kind === 'audio').map(() => this.#audioEncoding(publisher));
    this.#video = tracks
      .filter(({ kind }) => kind === 'video')
      .flatMap(({ encodingIds, format }) =>
        encodingIds.map((_, index) => this.#videoEncoding(publisher, format.codec as VideoCodec, index)),
      );
    this.#encodings = [...audio, ...this.#video];
    this.#choice = new EncodingChoice(this.#video.length);
  }

  /** @param packet valid RTP without a header extension; it is kept */
  onPacket(encoding: number, sequence: number, packet: Buffer, now: number): void {
    const received = this.#encodings[encoding];
    if (!received) return;
    this.#heldSince ??= now;
    received.order.add(sequence, packet, now);
  }

  onReport(encoding: number, report: SenderReport, now: number): void {
    this.#encodings[encoding]?.clock.onReport(report);
    this.#releaseIfReady(now);
  }

  /** Call every few tens of ms. */
  tick(now: number): void {
    for (const { order } of this.#encodings) order.tick(now);
    this.#releaseIfReady(now);
    this.#requestKeyframes(now);
  }

  end(now: number): void {
    for (const { order } of this.#encodings) order.end(now);
    for (const { assembler } of this.#video) assembler.end();
    this.#release();
  }

  #audioEncoding(publisher: PublisherClock): Encoding {
    const clock = new EncodingClock(publisher, clockRate('audio'));
    const onPacket = (packet: Buffer, now: number): void => {
      clock.onPacket(timestamp(packet), now);
      const data = packet.subarray(payloadStart(packet), payloadEnd(packet));
      if (!data.length) return;
      this.#pass({ clock, kind: 'audio', data, isKeyframe: true, timestamp: timestamp(packet), width: 0, height: 0 });
    };
    const onGap = () => this.#options.listener.onLoss(1);
    const onRestart = () => this.#restart(clock);
    return { clock, order: new PacketOrder({ waitMs: WAIT_MS, maxWaiting: MAX_WAITING, onPacket, onGap, onRestart }) };
  }

  #videoEncoding(publisher: PublisherClock, codec: VideoCodec, index: number): VideoEncoding {
    const clock = new EncodingClock(publisher, clockRate('video'));
    let arrivedAt = 0;
    const onFrame = (frame: AssembledFrame): void => {
      if (!this.#choice.onFrame(index, frame, arrivedAt)) return;
      if (frame.isKeyframe) this.#lastKeyframeAt = arrivedAt;
      this.#pass({ clock, kind: 'video', ...frame });
    };
    const onLost = () => {
      if (this.#choice.current === index) this.#options.listener.onLoss(1);
    };
    const assembler = new FrameAssembler(codec, onFrame, onLost);
    const order = new PacketOrder<Buffer>({
      waitMs: WAIT_MS,
      maxWaiting: MAX_WAITING,
      onPacket: (packet, now) => {
        arrivedAt = now;
        clock.onPacket(timestamp(packet), now);
        this.#choice.onPacket(index, packet.length, now);
        assembler.push(packet);
      },
      onGap: () => assembler.gap(),
      onRestart: () => this.#restart(clock),
    });
    return { clock, order, assembler };
  }

  #restart(clock: EncodingClock): void {
    // Held frames have the timestamps from before.
    this.#release();
    clock.restart();
  }

  #pass(frame: HeldFrame): void {
    if (this.#held) this.#held.push(frame);
    else this.#send(frame, this.#timeOf(frame));
  }

  #releaseIfReady(now: number): void {
    if (!this.#held || this.#heldSince === undefined) return;
    const heldMs = now - this.#heldSince;
    if (heldMs < CLOCK_SETTLE_MS) return;
    const sending = new Set(this.#held.map(({ clock }) => clock));
    const isReady = sending.size === this.#encodings.length && [...sending].every(({ hasReport }) => hasReport);
    if (isReady || heldMs >= CLOCK_WAIT_MS) this.#release();
  }

  #release(): void {
    const frames = (this.#held ?? []).map((frame) => ({ frame, time: this.#timeOf(frame) }));
    this.#held = undefined;
    for (const { frame, time } of frames.sort((a, b) => a.time - b.time)) this.#send(frame, time);
  }

  /**
   * A new report moves the clock by a little, and another encoding may be behind: time never goes back, so that pictures
   * stay in the order in which they are decoded.
   */
  #timeOf({ kind, clock, timestamp }: HeldFrame): number {
    const time = Math.max(clock.timeOf(timestamp), this.#lastTime[kind] + 1);
    this.#lastTime[kind] = time;
    return time;
  }

  #send({ kind, data, isKeyframe, width, height }: HeldFrame, timestampMs: number): void {
    this.#options.listener.onFrame({ kind, data, isKeyframe, timestampMs, width, height });
  }

  #requestKeyframes(now: number): void {
    const best = this.#choice.best(now);
    const encoding = best === undefined ? undefined : this.#video[best];
    if (!encoding || now - this.#requestedAt < KEYFRAME_WAIT_MS) return;
    const { keyframeEveryMs = Infinity } = this.#options;
    const { current } = this.#choice;
    const isLate = current !== undefined && (best !== current || now - this.#lastKeyframeAt >= keyframeEveryMs);
    // Frames of the current encoding go on meanwhile, unless one is missing.
    const isBroken = (current === undefined || best === current) && encoding.assembler.needsKeyframe;
    if (!isLate && !isBroken) return;
    this.#requestedAt = now;
    this.#options.requestKeyframe(this.#encodings.indexOf(encoding), isBroken ? 'urgent' : 'patient');
  }
}
