import { randomBytes, randomUUID } from 'node:crypto';
import type { Publisher } from '../streams/member.js';
import type { Grant } from '../admission/grant.js';
import type { Channel } from './channel.js';
import { publishData } from './command-data.js';
import type { Command } from './frame.js';
import { readData } from './read-data.js';
import { Session, unknownCommand, type SessionContext } from './session.js';
import { SignallingError } from './signalling-error.js';

/** A broadcaster's websocket. Its name is taken from the `publish` command on, until the session ends. */
export class PublisherSession extends Session implements Publisher {
  readonly role = 'Publish';
  readonly tokenId: number;
  readonly sessionKey = randomBytes(24).toString('base64url');

  constructor(grant: Grant & { tokenId: number }, channel: Channel, context: SessionContext) {
    super(grant, channel, context);
    this.tokenId = grant.tokenId;
    // A publisher hears only the events that its command asks for.
    channel.want([]);
  }

  async handle(command: Command): Promise<object> {
    if (command.name === 'publish') return this.#publish(command);
    if (command.name === 'unpublish') {
      this.end();
      return {};
    }
    throw unknownCommand(command.name, ['publish', 'unpublish']);
  }

  protected override depart(): void {
    this.context.streams.release(this.streamId, this);
  }

  async #publish(command: Command): Promise<object> {
    const { sdp, codec, events } = readData(publishData, command);
    const media = await this.connect(async () => {
      if (!this.context.streams.claim(this.streamId, this, this.grant.resumes)) {
        throw new SignallingError('stream_in_use', 'somebody else is live under this stream name');
      }
      try {
        return await this.context.engine.publish(this.streamId, sdp, codec ? { codec } : {});
      } catch (error) {
        this.context.streams.release(this.streamId, this);
        throw error;
      }
    });
    this.channel.want(events ?? []);
    return {
      sdp: media.answer,
      publisherId: this.id,
      clusterId: 'local',
      feedId: randomUUID(),
      streamId: this.streamId,
      sessionKey: this.sessionKey,
    };
  }
}
