/** The main module of a worker process. The process ends with the channel to its parent. */
import { cleanup, initLogger } from 'node-datachannel';
import { guardChildProcess } from '../../../faults/child-process.js';
import { contain } from '../../../faults/contain.js';
import type { MessageFromWorker, MessageToWorker } from './worker-messages.js';
import { WorkerServer } from './worker-server.js';

function send(message: MessageFromWorker): void {
  if (process.connected) process.send?.(message);
}

function exit(): void {
  cleanup();
  // The open channel keeps the process alive. process.exit() could cut off a message that is being sent.
  if (process.connected) process.disconnect();
}

const message = 'the WebRTC library reports a fault';
initLogger(
  'Error',
  contain('media', (_level, fault) => send({ type: 'log', entry: { level: 'warn', message, fault } })),
);

const server = new WorkerServer(send, exit);
guardChildProcess(() => server.close());
process.on(
  'message',
  contain('media', (request: MessageToWorker) => server.onMessage(request)),
);
process.on(
  'disconnect',
  contain('media', () => server.close({ serverIsGone: true })),
);
// A terminal's Ctrl-C and some supervisors signal the whole process group. The parent decides when the worker ends.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
