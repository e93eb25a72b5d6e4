import { attempt } from '../../faults/contain.js';
import { mayFollow, type NextStates } from '../../faults/next-states.js';
import { after } from '../../faults/timers.js';
import type { MediaEngine } from '../../media/engine/media-engine.js';
import type { ConnectedMedia } from '../../media/engine/media-session.js';
import type { StreamRegistry } from '../../streams/stream-registry.js';
import type { StreamElsewhere } from '../../streams/streams-elsewhere.js';
import { RelayCallError } from './relay-call.js';
import type { StreamId } from '../../streams/stream-id.js';

/** The server that has a stream, in one epoch. */
export type Origin = Pick<StreamElsewhere, 'node'> & { readonly url: string };

export interface FollowedStreamOptions {
  readonly streamId: StreamId;
  readonly engine: Pick<MediaEngine, 'receiveRelay'>;
  readonly streams: Pick<StreamRegistry, 'beginRelay' | 'endRelay'>;
  /** Asks the origin. @returns the SDP answer @throws {RelayCallError} */
  readonly exchange: (origin: Origin, offer: string, signal: AbortSignal) => Promise<string>;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicNow?: () => number;
  /** The stream cannot be received from there for now. */
  readonly onGivenUp: (origin: Origin, reason: unknown) => void;
  /** A server that was given up may be asked again. */
  readonly onForgiven: () => void;
}

/** A relay that lasted for so long is asked for again at once. One that is lost at once would be, again and again. */
export const STEADY_AFTER_MS = 2_000;
const MIN_RETRY_MS = 200;
const MAX_RETRY_MS = 2_000;
/** After so many links in a row that could not be opened, UDP does not reach the other server. */
const MAX_FAILED_LINKS = 2;
const GIVEN_UP_FOR_MS = 30_000;

/** Each state has what ends with it. One that is idle names the origin of before. */
export type FollowState =
  | { readonly name: 'idle' | 'closed'; readonly origin?: Origin | undefined }
  | (Following & { readonly name: 'asking'; readonly call: AbortController })
  | (Following & { readonly name: 'receiving'; readonly media: ConnectedMedia; readonly since: number })
  /** The origin is asked again when the timer ends. */
  | (Following & { readonly name: 'pausing'; readonly timer: NodeJS.Timeout })
  /** Viewers go to the origin until the timer ends, or another server has the stream. */
  | { readonly name: 'given-up'; readonly origin: Origin; readonly timer: NodeJS.Timeout };

interface Following {
  readonly origin: Origin;
  /** In a row. */
  readonly failedLinks: number;
  /** The pause when it fails next. */
  readonly retryMs: number;
}

const NEXT: NextStates<FollowState['name']> = {
  idle: ['asking', 'closed'],
  asking: ['receiving', 'pausing', 'given-up', 'idle', 'closed'],
  receiving: ['asking', 'pausing', 'idle', 'closed'],
  pausing: ['asking', 'idle', 'closed'],
  'given-up': ['idle', 'closed'],
  closed: [],
};

/** Receives a stream from the server that has it, and again whenever the relay breaks. */
export class FollowedStream {
  readonly #options: Required<FollowedStreamOptions>;
  #state: FollowState = { name: 'idle' };

  constructor(options: FollowedStreamOptions) {
    this.#options = { monotonicNow: () => performance.now(), ...options };
  }

  get state(): FollowState {
    return this.#state;
  }

  /** @param origin undefined: any */
  follows(origin?: Origin): boolean {
    return isFollowing(this.#state) && (!origin || isSame(this.#state.origin, origin));
  }

  /** Whether that server, in any epoch, refused the stream a moment ago, or its media did not come through. */
  hasGivenUp({ node }: Origin): boolean {
    return this.#state.name === 'given-up' && this.#state.origin.node.id === node.id;
  }

  /** Receives the stream from there only. Undefined: from nowhere, until the next call. */
  follow(origin: Origin | undefined): void {
    if (origin ? this.follows(origin) || this.hasGivenUp(origin) : !this.follows()) return;
    if (this.#state.name !== 'idle') this.#become({ name: 'idle', origin: this.#state.origin });
    if (origin) this.#ask({ origin, failedLinks: 0, retryMs: MIN_RETRY_MS });
  }

  /** The media engine lost a session. */
  sessionLost(id: string): void {
    if (this.#state.name !== 'receiving' || this.#state.media.id !== id) return;
    const { origin, retryMs, since } = this.#state;
    const isSteady = this.#options.monotonicNow() - since >= STEADY_AFTER_MS;
    if (isSteady) this.#ask({ origin, failedLinks: 0, retryMs: MIN_RETRY_MS });
    else this.#pause({ origin, failedLinks: 0, retryMs });
  }

  close(): void {
    this.#become({ name: 'closed' });
  }

  #become(next: FollowState): void {
    const before = this.#state;
    if (!mayFollow('cluster', NEXT, before.name, next.name)) return;
    this.#state = next;
    if ('call' in before) before.call.abort();
    if ('media' in before) before.media.close();
    if ('timer' in before) clearTimeout(before.timer);
    const { streamId, streams } = this.#options;
    if (isFollowing(before) && !isFollowing(next)) streams.endRelay(streamId);
    if (!isFollowing(before) && isFollowing(next)) streams.beginRelay(streamId);
  }

  #ask({ origin, failedLinks, retryMs }: Following): void {
    const { streamId, engine, exchange, monotonicNow } = this.#options;
    const following = { origin, failedLinks, retryMs };
    const asking = { ...following, name: 'asking', call: new AbortController() } as const;
    this.#become(asking);
    attempt('cluster', async () => {
      try {
        const media = await engine.receiveRelay!(streamId, async (offer) => {
          const answer = await exchange(origin, offer, asking.call.signal);
          following.failedLinks += 1;
          return answer;
        });
        // Wanted from nowhere meanwhile, or from elsewhere.
        if (this.#state !== asking) return media.close();
        this.#become({ ...following, name: 'receiving', media, since: monotonicNow() });
      } catch (error) {
        if (this.#state === asking) this.#failed(following, error);
      }
    });
  }

  #failed(following: Following, error: unknown): void {
    const isRefused = error instanceof RelayCallError && error.fault === 'refused';
    if (!isRefused && following.failedLinks < MAX_FAILED_LINKS) return this.#pause(following);
    const { origin } = following;
    const forgive = () => {
      this.#become({ name: 'idle', origin });
      this.#options.onForgiven();
    };
    this.#become({ name: 'given-up', origin, timer: after('cluster', GIVEN_UP_FOR_MS, forgive).unref() });
    this.#options.onGivenUp(origin, error);
  }

  #pause(following: Following): void {
    const retryMs = Math.min(2 * following.retryMs, MAX_RETRY_MS);
    const timer = after('cluster', following.retryMs, () => this.#ask({ ...following, retryMs }));
    this.#become({ ...following, name: 'pausing', timer });
  }
}

function isFollowing(state: FollowState): state is Extract<FollowState, Following> {
  return 'retryMs' in state;
}

/** Whether it is the same server in the same epoch. */
export function isSame(one: Pick<Origin, 'node'>, other: Pick<Origin, 'node'>): boolean {
  return one.node.id === other.node.id && one.node.epoch === other.node.epoch;
}
