import type { CliCommand } from '../command.js';
import { callServer } from '../management/management-calls.js';

export const streamStopCommand: CliCommand = {
  name: 'stream stop',
  summary:
    'have the running server end a broadcast (STREAM: account/name); disable its token first, or it may come back',
  operands: ['STREAM'],
  async run(call) {
    const {
      operands: [streamId = ''],
    } = call;
    const level = await callServer(call, (client) => client.streams.stop(streamId));
    return { data: { stoppingLevel: level }, text: level === 'None' ? 'Nothing was live.' : `${streamId} is stopped.` };
  },
};

export const streamStopAllCommand: CliCommand = {
  name: 'stream stop all',
  summary: 'have the running server end every broadcast of the account',
  async run(call) {
    const level = await callServer(call, (client) => client.streams.stopAll());
    return { data: { stoppingLevel: level }, text: level === 'None' ? 'Nothing was live.' : 'Everything is stopped.' };
  },
};
