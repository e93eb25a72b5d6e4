import { ALL_LAYERS, LayerFilter, type LayerLimit } from '../rtp/layer-filter.js';
import type { MediaPacket } from './media-packet.js';
import type { Shed } from './shedding.js';

/** Frames between two timestamps of the source; the second is not among them. */
interface FrameRange {
  readonly from: number;
  readonly until: number;
}

type State =
  | { readonly name: 'forwarding'; /** What was shed last: its late packets. */ readonly shed: FrameRange | undefined }
  /** A frame was shed that others depend on. All are shed until the next keyframe. */
  | { readonly name: 'waiting'; readonly from: number };

/** Of video, in units of its timestamp: ten seconds. No packet is later. */
const MAX_LATE = 900_000;
const LOWEST_TEMPORAL: LayerLimit = { spatial: Infinity, temporal: 0 };

/**
 * Decides which frames of one video encoding are shed: whole frames, and only those that decoders can do without. Of a
 * frame that decoders need, all that follow are shed too, until a keyframe.
 */
export class FrameShedder {
  /** Viewers without dependency descriptors are left out of this: their own filters drop the layers above. */
  readonly #layers = new LayerFilter(true);
  #state: State = { name: 'forwarding', shed: undefined };
  /** Of the newest frame. Undefined: there was none. */
  #newest: number | undefined;
  /** Whether all video is too late now. */
  #isLate = false;
  readonly #onShed: () => void;

  /** @param onShed a frame is shed */
  constructor(onShed: () => void) {
    this.#onShed = onShed;
  }

  /** Whether the next keyframe would be forwarded, and nothing before it. */
  get needsKeyframe(): boolean {
    return this.#state.name === 'waiting' && !this.#isLate;
  }

  /** Call once for each packet, in the order of arrival. @param shed what is too late now */
  sheds({ timestamp, payload }: MediaPacket, shed: Shed): boolean {
    const ahead = this.#newest === undefined ? 0 : (timestamp - this.#newest) | 0;
    const isJump = Math.abs(ahead) > MAX_LATE;
    const isNew = this.#newest === undefined || ahead > 0 || isJump;
    this.#isLate = shed === 'video' || shed === 'sound';
    if (isJump) this.#restart(timestamp);
    if (isNew) {
      this.#newest = timestamp;
      this.#enterFrame(timestamp, payload);
    }
    this.#layers.limit(shed === 'nothing' ? ALL_LAYERS : LOWEST_TEMPORAL);
    const isShed = this.#layers.drops(payload) || this.#isInShedRange(timestamp);
    if (isNew && isShed) this.#onShed();
    return isShed;
  }

  /** The source began to count anew, or paused: timestamps from before say nothing about those that follow. */
  #restart(timestamp: number): void {
    const isWaiting = this.#state.name === 'waiting';
    this.#state = isWaiting ? { name: 'waiting', from: timestamp } : { name: 'forwarding', shed: undefined };
  }

  #enterFrame(timestamp: number, { startsKeyframe, temporalId }: MediaPacket['payload']): void {
    const state = this.#state;
    if (state.name === 'waiting') {
      if (!startsKeyframe || this.#isLate) return;
      this.#state = { name: 'forwarding', shed: { from: state.from, until: timestamp } };
    } else if (this.#isLate && temporalId <= 0) {
      this.#state = { name: 'waiting', from: timestamp };
    } else if (state.shed && ((timestamp - state.shed.until) | 0) > MAX_LATE) {
      // Its timestamps come again after 13 hours.
      this.#state = { name: 'forwarding', shed: undefined };
    }
  }

  #isInShedRange(timestamp: number): boolean {
    const state = this.#state;
    if (state.name === 'waiting') return !isAfter(state.from, timestamp);
    const { shed } = state;
    return shed !== undefined && !isAfter(shed.from, timestamp) && isAfter(shed.until, timestamp);
  }
}

/** Timestamps wrap after 13 hours of video. */
const isAfter = (timestamp: number, other: number): boolean => ((timestamp - other) | 0) > 0;
