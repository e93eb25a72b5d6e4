import { randomBytes } from 'node:crypto';
import type { Grant } from '../admission/grant.js';
import type { PublishOptions, SourceId } from '../media/media-engine.js';
import type { Publisher } from '../streams/member.js';
import type { StreamEvent } from '../streams/stream-event.js';
import { endReasons } from './session-end-reason.js';
import { SessionError } from './session-error.js';
import type { SessionEvents } from './session-events.js';
import { Session, type SessionContext } from './session.js';
import { sourceOf, type ClaimedSource } from './session-state.js';

export interface PublishRequest extends PublishOptions {
  /** The client keeps the session key and comes back with it when it is lost: its source may be kept for it. */
  readonly resumable?: boolean | undefined;
}

/** A broadcaster. It has one source of the stream from `publish` on, until the session ends. */
export class PublisherSession extends Session implements Publisher {
  readonly role = 'Publish';
  readonly tokenId: number;
  #sessionKey = randomBytes(24).toString('base64url');

  constructor(grant: Grant & { tokenId: number }, line: SessionEvents, context: SessionContext) {
    super(grant, line, context);
    this.tokenId = grant.tokenId;
  }

  /** A session that takes over the source of a lost one has the key of that one: the answer with a new key may be lost, too. */
  get sessionKey(): string {
    return this.#sessionKey;
  }

  /**
   * Claims the source and connects the media.
   * @returns the SDP answer
   * @throws {SessionError} `already_connected`, `session_ended`, `stream_in_use` @throws {MediaError} see `MediaEngine.publish`
   */
  async publish(offer: string, { resumable = false, ...options }: PublishRequest = {}): Promise<string> {
    this.requireConnectable();
    const source = this.#claim(options.sourceId ?? null, resumable);
    const { answer } = await this.connect(source, () => this.context.engine.publish(this.streamId, offer, options));
    return answer;
  }

  /** The line hears what is true of the stream, and then what changes. */
  startEvents(): void {
    this.context.streams.sendSnapshot(this.streamId, this);
  }

  override tell(news: StreamEvent): void {
    if (news.name !== 'measured') this.sendToClient(news);
  }

  leaseExpired(): void {
    this.apply({ name: 'ended' }, endReasons.untold('not_resumed'));
  }

  /** Its source, if it has one, was released with the state that had it. */
  protected override leaveStream(): void {}

  /** @throws {SessionError} `stream_in_use`, `already_connected` */
  #claim(sourceId: SourceId, resumable: boolean): ClaimedSource {
    const kept = sourceOf(this.state);
    if (kept) {
      if (kept.sourceId === sourceId) return kept;
      throw new SessionError('already_connected', 'this session has another source; open another session for this one');
    }
    const { streams, onTaken } = this.context;
    const claim = streams.claim(this.streamId, this, { sourceId, resumable, resumes: this.grant.resumes });
    if (!claim) {
      onTaken(this.grant);
      throw new SessionError('stream_in_use', inUse(sourceId));
    }
    if (claim.before) this.#sessionKey = claim.before.sessionKey;
    if (!resumable) return { sourceId, lease: 'none' };
    return { sourceId, lease: claim.before ? 'inherited' : 'when_lost' };
  }
}

function inUse(sourceId: SourceId): string {
  return sourceId === null
    ? 'somebody else is live under this stream name'
    : 'somebody else is live under this stream name as the same source';
}
