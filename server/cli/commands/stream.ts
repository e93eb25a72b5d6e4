import type { Command } from '../command.js';
import { askServer } from '../management.js';

export const streamStopCommand: Command = {
  name: 'stream stop',
  summary:
    'have the running server end a broadcast (STREAM: account/name); disable its token first, or it may come back',
  operands: ['STREAM'],
  async run(call) {
    const {
      operands: [streamId = ''],
    } = call;
    const level = await askServer(call, (client) => client.streams.stop(streamId));
    return { data: { stoppingLevel: level }, text: level === 'None' ? 'Nothing was live.' : `${streamId} is stopped.` };
  },
};

export const streamStopAllCommand: Command = {
  name: 'stream stop all',
  summary: 'have the running server end every broadcast of the account',
  async run(call) {
    const level = await askServer(call, (client) => client.streams.stopAll());
    return { data: { stoppingLevel: level }, text: level === 'None' ? 'Nothing was live.' : 'Everything is stopped.' };
  },
};
