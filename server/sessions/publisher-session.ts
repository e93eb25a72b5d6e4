import { randomBytes } from 'node:crypto';
import type { Grant } from '../admission/grant.js';
import type { PublishOptions } from '../media/media-engine.js';
import type { Publisher } from '../streams/member.js';
import { SessionError } from './session-error.js';
import type { SessionLine } from './session-line.js';
import { Session, type SessionContext } from './session.js';

/** A broadcaster. The name is taken from `publish` on, until the session ends. */
export class PublisherSession extends Session implements Publisher {
  readonly role = 'Publish';
  readonly tokenId: number;
  readonly sessionKey = randomBytes(24).toString('base64url');

  constructor(grant: Grant & { tokenId: number }, line: SessionLine, context: SessionContext) {
    super(grant, line, context);
    this.tokenId = grant.tokenId;
  }

  /**
   * Takes the name and connects the media.
   * @returns the SDP answer
   * @throws {SessionError} `already_connected`, `session_ended`, `stream_in_use` @throws {MediaError} see `MediaEngine.publish`
   */
  async publish(offer: string, options: PublishOptions = {}): Promise<string> {
    const { streams, engine } = this.context;
    const { answer } = await this.connect(async () => {
      if (!streams.claim(this.streamId, this, this.grant.resumes)) {
        throw new SessionError('stream_in_use', 'somebody else is live under this stream name');
      }
      try {
        return await engine.publish(this.streamId, offer, options);
      } catch (error) {
        streams.release(this.streamId, this);
        throw error;
      }
    });
    return answer;
  }

  protected override depart(): void {
    this.context.streams.release(this.streamId, this);
  }
}
