/** The main module of the packager's process. It ends with the channel to its parent. */
import { constants, setPriority } from 'node:os';
import { guardChildProcess } from '../../faults/child-process.js';
import { contain } from '../../faults/contain.js';
import { isDiskFull, isFileFault } from '../storage/file-fault.js';
import { PartUnreadableError } from '../matroska/part-reader.js';
import { finish } from './finish.js';
import type { MessageFromPackager, MessageToPackager, PackagerCall, PackagerFailure } from './packager-messages.js';
import { readPart } from './read-part.js';
import { initSegment, segment } from './segment.js';

function send(message: MessageFromPackager): void {
  if (process.connected) process.send?.(message);
}

function resultOf(call: PackagerCall): Promise<unknown> {
  switch (call.type) {
    case 'readPart':
      return readPart(...call.args);
    case 'finish':
      return finish(...call.args);
    case 'initSegment':
      return initSegment(...call.args);
    case 'segment':
      return segment(...call.args);
  }
}

function failureOf(error: Error): PackagerFailure {
  if (error instanceof PartUnreadableError) return 'unreadable';
  if (isDiskFull(error)) return 'disk_full';
  return isFileFault(error) ? 'disk_failed' : 'failed';
}

async function answer(call: PackagerCall): Promise<void> {
  try {
    send({ type: 'done', id: call.id, result: await resultOf(call) });
  } catch (error) {
    const { message } = error as Error;
    send({ type: 'failed', id: call.id, reason: failureOf(error as Error), message });
  }
}

/** An unfinished file is made again at the next start, so nothing is waited for. */
function exit(): void {
  process.exit();
}

// Live media comes first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
guardChildProcess(async () => {});
process.on(
  'message',
  contain('recording', (message: MessageToPackager) => {
    if (message.type === 'ping') return send({ type: 'pong' });
    if (message.type === 'close') return exit();
    return answer(message);
  }),
);
process.on('disconnect', contain('recording', exit));
// A terminal's Ctrl-C and some supervisors signal the whole process group. The parent decides when the packager ends.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
send({ type: 'ready' });
