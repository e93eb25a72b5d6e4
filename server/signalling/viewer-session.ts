import { randomUUID } from 'node:crypto';
import type { Viewer } from '../streams/member.js';
import { viewData } from './command-data.js';
import type { Command } from './frame.js';
import { readData } from './read-data.js';
import { Session, unknownCommand } from './session.js';

/** A viewer's websocket. From the `view` command on it watches, or waits for the stream to begin. */
export class ViewerSession extends Session implements Viewer {
  readonly role = 'Subscribe';

  async handle(command: Command): Promise<object> {
    if (command.name === 'view') return this.#view(command);
    if (command.name === 'unview') {
      this.end();
      return {};
    }
    throw unknownCommand(command.name, ['view', 'unview']);
  }

  protected override depart(): void {
    this.context.streams.leave(this.streamId, this);
  }

  async #view(command: Command): Promise<object> {
    const { sdp, events } = readData(viewData, command);
    const media = await this.connect(() => this.context.engine.view(this.streamId, sdp));
    this.channel.want(events);
    this.context.streams.join(this.streamId, this);
    return {
      sdp: media.answer,
      subscriberId: this.id,
      clusterId: 'local',
      streamViewId: randomUUID(),
      streamId: this.streamId,
    };
  }
}
