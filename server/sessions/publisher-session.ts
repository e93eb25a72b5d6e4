import { randomBytes } from 'node:crypto';
import type { SourceNotice } from '../../src/wire/management/live-stream.js';
import type { ClientEndCode } from '../../src/wire/management/session.js';
import type { Grant } from '../admission/grant.js';
import type {
  AddedSource,
  AddSourceOptions,
  PublishingSession,
  PublishOptions,
} from '../media/engine/media-session.js';
import type { AddedTracks, SourceId, VideoCodec } from '../media/engine/media-track.js';
import type { Publisher } from '../streams/member.js';
import type { StreamEvent } from '../streams/stream-event.js';
import type { LeaseOutcome } from '../streams/stream-leases.js';
import { bitrateTooHigh, nextBitrateState, toldBitrate, UNMEASURED, type BitrateState } from './publish-bitrate.js';
import { endReasons } from './session-end-reason.js';
import { SessionError } from './session-error.js';
import type { SessionEvents } from './session-events.js';
import { mediaOf, sourceOf, type ClaimedSource } from './session-state.js';
import { Session, type SessionContext } from './session.js';

export interface PublishRequest extends PublishOptions {
  /** The client keeps the session key and can resume with it, so its source is kept for the lease. */
  readonly resumable?: boolean | undefined;
}

export type UnpublishableCode = Extract<ClientEndCode, 'b_frames' | 'codec_unsupported' | 'nothing_to_publish'>;

/** What a publisher may send. */
export interface BitrateLimit {
  /** Of sound and picture together, in bit/s. */
  readonly max: number;
  /** For how many seconds it may be far above. */
  readonly patience: number;
}

/** A publisher. It has one source of the stream from `publish` until the session ends. */
export class PublisherSession extends Session<PublishingSession | AddedSource> implements Publisher {
  readonly role = 'Publish';
  readonly tokenId: number;
  readonly #notices = new Set<SourceNotice>();
  #bitrateLimit: BitrateLimit | undefined;
  #bitrate: BitrateState = UNMEASURED;
  #codec: VideoCodec | undefined;
  #isOverloaded = false;
  #sessionKey = randomBytes(24).toString('base64url');

  constructor(grant: Grant & { tokenId: number }, events: SessionEvents, context: SessionContext) {
    super(grant, events, context);
    this.tokenId = grant.tokenId;
  }

  /**
   * A session that resumes another one keeps the key of that session: the answer that brings a new key could be lost as
   * well, and the client could then not resume again.
   */
  get sessionKey(): string {
    return this.#sessionKey;
  }

  get codec(): VideoCodec | undefined {
    return this.#codec;
  }

  get notices(): readonly SourceNotice[] {
    return [...this.#notices];
  }

  /** Tells the owner of the stream what is left out or changed of the media now. */
  setNotice(notice: SourceNotice, holds: boolean): void {
    if (holds) this.#notices.add(notice);
    else this.#notices.delete(notice);
  }

  /** Its source of the stream: null is the main one. Undefined: it has none. */
  get sourceId(): SourceId | undefined {
    return sourceOf(this.state)?.sourceId;
  }

  /**
   * Claims the source and connects the media.
   * @returns the SDP answer
   * @throws {SessionError} `already_connected`, `session_ended`, `stream_in_use`, `wrong_node`, `database_unavailable`
   * @throws {MediaError} see `MediaEngine.publish`
   */
  async publish(offer: string, { resumable = false, ...options }: PublishRequest = {}): Promise<string> {
    const media = await this.#connectSource(options.sourceId ?? null, resumable, async () => {
      // Before the engine has the offer, which makes the source live. A request that is refused before changes nothing.
      this.#codec = options.codec;
      return await this.context.engine.publish(this.streamId, offer, options);
    });
    // Before the client has the answer, and sends.
    if (this.#bitrateLimit) await media.limitBitrate(toldBitrate(this.#bitrateLimit.max));
    return media.answer;
  }

  /**
   * Claims the source and adds it, for an encoder that is no peer.
   * @throws {SessionError} as of `publish`
   * @throws {MediaError} see `MediaEngine.addSource`
   */
  async addSource(tracks: AddedTracks, options: AddSourceOptions = {}): Promise<AddedSource> {
    return await this.#connectSource(options.sourceId ?? null, false, () =>
      this.context.engine.addSource(this.streamId, tracks, options),
    );
  }

  /**
   * Limits what it sends from now on, and tells it if it listens. Undefined: it may send as much as it likes.
   * @throws {MediaError} see `PublishingSession.limitBitrate`
   */
  async limitBitrate(limit: BitrateLimit | undefined): Promise<void> {
    const before = this.#bitrateLimit;
    this.#bitrateLimit = limit;
    if (before?.max === limit?.max) return;
    // What was sent under another limit does not count.
    this.#setBitrate(UNMEASURED);
    const media = mediaOf(this.state);
    if (media && 'limitBitrate' in media) await media.limitBitrate(limit && toldBitrate(limit.max));
  }

  /** @param bitrate of the last second, in bit/s */
  bitrateMeasured(bitrate: number): void {
    const limit = this.#bitrateLimit;
    if (!limit || this.ended) return;
    const before = this.#bitrate;
    const after = nextBitrateState(before, bitrate, limit);
    this.#setBitrate(after);
    if (after.name === 'exceeded') return this.stop('bitrate_too_high', bitrateTooHigh(after.bitrate, limit.max));
    if (after.name === 'above' && before.name === 'within') {
      this.context.observer.bitrateAbove(this, Math.round(bitrate), limit.max);
    }
  }

  /** Tells the client and the records when it changes. */
  loadMeasured(isOverloaded: boolean): void {
    const { sourceId } = this;
    if (isOverloaded === this.#isOverloaded || sourceId === undefined || this.ended) return;
    this.#isOverloaded = isOverloaded;
    this.context.streams.sendLoad(this.streamId, sourceId, isOverloaded);
    this.context.observer.overloaded(this, isOverloaded);
  }

  override async renew(offer: string): Promise<string> {
    const { media } = this;
    if ('renew' in media) return await media.renew(offer);
    throw new SessionError('not_connected', 'this publisher is no peer, and has no network path to move');
  }

  /** Sends everything that is true of the stream. Changes follow by themselves: the stream knows its publishers. */
  startEvents(): void {
    this.context.streams.sendSnapshot(this.streamId, this);
  }

  /** Tells the client whether its source is being recorded. */
  sendRecording(isRecording: boolean, fault: string | null): void {
    const { sourceId } = this;
    if (sourceId !== undefined) this.context.streams.sendRecording(this.streamId, sourceId, { isRecording, fault });
  }

  override send(event: StreamEvent): void {
    if (event.name !== 'layers-measured') this.sendToClient(event);
  }

  /** The encoder sends what cannot be published. Whoever opened the session tells the encoder. */
  endUnpublishable(code: UnpublishableCode): void {
    this.apply({ name: 'ended' }, endReasons.unnoticed(code));
  }

  leaseExpired(): void {
    this.apply({ name: 'ended' }, endReasons.unnoticed('not_resumed'));
  }

  /** Nothing to do: `apply` released the source. */
  protected override leaveStream(): void {}

  /**
   * The session is `connecting` and has the source while the other servers are asked, so it releases the source however
   * it ends meanwhile. The media engine is asked when no other server has the source.
   */
  async #connectSource<Media extends PublishingSession | AddedSource>(
    sourceId: SourceId,
    resumable: boolean,
    open: () => Promise<Media>,
  ): Promise<Media> {
    this.requireConnectable();
    const [sessionKey, codec] = [this.#sessionKey, this.#codec];
    const source = this.#claim(sourceId, resumable);
    try {
      return await this.connect(source, async () => {
        const outcome = await this.context.streams.lease(this.streamId, this, sourceId);
        if (this.ended) throw new SessionError('session_ended', 'the session ended before its media was connected');
        if (outcome !== 'held') throw this.#leaseError(outcome, sourceId);
        return await open();
      });
    } catch (error) {
      // What was not accepted changes nothing, but the client comes back for a source that it still has with its old key.
      this.#codec = codec;
      if (!sourceOf(this.state)) this.#sessionKey = sessionKey;
      throw error;
    }
  }

  #setBitrate(state: BitrateState): void {
    this.#bitrate = state;
    this.setNotice('bitrate_above_limit', state.name !== 'within');
  }

  #leaseError(outcome: Exclude<LeaseOutcome, 'held'>, sourceId: SourceId): SessionError {
    switch (outcome) {
      case 'taken':
        this.context.observer.sourceInUse(this.grant);
        return new SessionError('stream_in_use', inUseMessage(sourceId));
      case 'elsewhere':
        return new SessionError(
          'wrong_node',
          'another server has the other sources of this stream: ask the director again',
        );
      case 'unavailable':
        return new SessionError(
          'database_unavailable',
          'the server could not confirm with its database that the stream name is free; try again in a moment',
        );
    }
  }

  /** @throws {SessionError} `stream_in_use`, `already_connected` */
  #claim(sourceId: SourceId, resumable: boolean): ClaimedSource {
    const kept = sourceOf(this.state);
    if (kept) {
      if (kept.sourceId === sourceId) return kept;
      throw new SessionError('already_connected', 'this session has another source; open another session for this one');
    }
    const { streams, observer } = this.context;
    const claim = streams.claim(this.streamId, this, { sourceId, resumable, resumes: this.grant.resumes });
    if (!claim) {
      observer.sourceInUse(this.grant);
      throw new SessionError('stream_in_use', inUseMessage(sourceId));
    }
    if (claim.previous) this.#sessionKey = claim.previous.sessionKey;
    if (!resumable) return { sourceId, lease: 'none' };
    return { sourceId, lease: claim.previous ? 'inherited' : 'when_lost' };
  }
}

function inUseMessage(sourceId: SourceId): string {
  return sourceId === null
    ? 'another publisher is live under this stream name'
    : 'another publisher is live under this stream name with the same source id';
}
