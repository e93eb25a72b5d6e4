import type { CliCommand } from '../command.js';
import { callServer } from '../management/management-calls.js';

export const streamStopCommand: CliCommand = {
  name: 'stream stop',
  summary:
    'end a broadcast on the running server (STREAM: account/name); disable its token first to keep it from coming back',
  operands: ['STREAM'],
  async run(invocation) {
    const {
      operands: [streamId = ''],
    } = invocation;
    const level = await callServer(invocation, (client) => client.streams.stop(streamId));
    return {
      data: { stoppingLevel: level },
      text: level === 'None' ? 'Nothing was live.' : `${streamId} was stopped.`,
    };
  },
};

export const streamStopAllCommand: CliCommand = {
  name: 'stream stop all',
  summary: 'end every broadcast of the account on the running server',
  async run(invocation) {
    const level = await callServer(invocation, (client) => client.streams.stopAll());
    return {
      data: { stoppingLevel: level },
      text: level === 'None' ? 'Nothing was live.' : 'Every broadcast was stopped.',
    };
  },
};
