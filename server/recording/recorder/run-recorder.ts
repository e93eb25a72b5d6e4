import { guardChildProcess } from '../../faults/child-process.js';
import { contain } from '../../faults/contain.js';
import type { OpenTap } from '../../media/engine/tap.js';
import type { MessageFromRecorder, MessageToRecorder } from './recorder-messages.js';
import { RecorderServer } from './recorder-server.js';

/** Makes this process a recorder. It ends with the channel to its parent, after it has completed all files. */
export function runRecorder(openTap: OpenTap): void {
  const send = (message: MessageFromRecorder): void => {
    if (process.connected) process.send?.(message);
  };
  const server = new RecorderServer({ openTap, now: () => performance.now() }, send);
  const close = async (): Promise<void> => {
    await server.close();
    // The open channel keeps the process alive. process.exit() could cut off a message that is being sent.
    if (process.connected) process.disconnect();
  };
  guardChildProcess(close);
  process.on(
    'message',
    contain('recording', (message: MessageToRecorder) => {
      if (message.type === 'close') return close();
      return server.onMessage(message);
    }),
  );
  process.on('disconnect', contain('recording', close));
  // A terminal's Ctrl-C and some supervisors signal the whole process group. The parent decides when the recorder ends.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  send({ type: 'ready' });
}
