import { randomBytes } from 'node:crypto';
import type { Grant } from '../admission/grant.js';
import type { PublishOptions } from '../media/media-engine.js';
import type { Publisher } from '../streams/member.js';
import type { StreamNews } from '../streams/stream-event.js';
import { SessionError } from './session-error.js';
import type { SessionLine } from './session-line.js';
import { Session, type SessionContext } from './session.js';

export interface PublishRequest extends PublishOptions {
  /** The client keeps the session key and comes back with it when it is lost: its place may be kept for it. */
  readonly resumable?: boolean | undefined;
}

/** A broadcaster. One source of the stream is his from `publish` on, until the session ends. */
export class PublisherSession extends Session implements Publisher {
  readonly role = 'Publish';
  readonly tokenId: number;
  #sessionKey = randomBytes(24).toString('base64url');
  #resumable = false;
  #suspended = false;
  #cameBack = false;

  constructor(grant: Grant & { tokenId: number }, line: SessionLine, context: SessionContext) {
    super(grant, line, context);
    this.tokenId = grant.tokenId;
  }

  get sessionKey(): string {
    return this.#sessionKey;
  }

  get resumable(): boolean {
    return this.#resumable;
  }

  get suspended(): boolean {
    return this.#suspended;
  }

  /**
   * Takes the place and connects the media.
   * @returns the SDP answer
   * @throws {SessionError} `already_connected`, `session_ended`, `stream_in_use` @throws {MediaError} see `MediaEngine.publish`
   */
  async publish(offer: string, { resumable = false, ...options }: PublishRequest = {}): Promise<string> {
    const { streams, engine } = this.context;
    const { answer } = await this.connect(async () => {
      this.#resumable = resumable;
      if (!streams.claim(this.streamId, this, options.sourceId ?? null, this.grant.resumes)) {
        this.context.onTaken(this.grant);
        throw new SessionError('stream_in_use', inUse(options.sourceId));
      }
      this.#suspended = false;
      try {
        return await engine.publish(this.streamId, offer, options);
      } catch (error) {
        // What was kept for him when he was lost is not lost by a first try that fails: the engine may be restarting.
        if (this.#cameBack) this.lose();
        else streams.release(this.streamId, this);
        throw error;
      }
    });
    return answer;
  }

  /** The line hears what is true of the stream, and then what changes. */
  attend(): void {
    this.context.streams.brief(this.streamId, this);
  }

  override tell(news: StreamNews): void {
    if (news.name !== 'measured') this.say(news);
  }

  /** His place is kept for a while, and the media stays where it still flows. */
  override lose(): void {
    if (this.#suspended || this.ended) return;
    if (!this.#resumable || !this.begun) return this.end();
    this.#suspended = true;
    this.context.streams.hold(this.streamId, this);
  }

  /** The same broadcaster goes on by the same key: the answer that names another may be lost with its connection. */
  succeed(before: Publisher): void {
    this.#sessionKey = before.sessionKey;
    this.#cameBack = true;
  }

  lapse(): void {
    this.end();
  }

  protected override depart(): void {
    this.context.streams.release(this.streamId, this);
  }
}

function inUse(sourceId: string | null | undefined): string {
  return typeof sourceId === 'string'
    ? 'somebody else is live under this stream name as the same source'
    : 'somebody else is live under this stream name';
}
