import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A measured server in a process of its own, so that its CPU time can be measured separately. */
export interface HttpProcess {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly pid: number;
  /** CPU time since it started, user and system together, in µs. */
  cpuMicros(): Promise<number>;
  stop(): Promise<void>;
}

/** What a server file sends when it listens. */
export type Ready = Pick<HttpProcess, 'url' | 'method' | 'headers' | 'body'>;

/** Starts a file of this folder. The file calls `reportCpu`. */
export async function startHttpProcess(file: string): Promise<HttpProcess> {
  const child = fork(join(import.meta.dirname, file), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ready = await nextMessage<Ready>(child);
  return {
    ...ready,
    pid: child.pid!,
    async cpuMicros() {
      const cpu = nextMessage<number>(child);
      child.send('cpu');
      return cpu;
    },
    async stop() {
      child.send('stop');
      await once(child, 'exit');
    },
  };
}

async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const [message] = await once(child, 'message');
  return message as Message;
}

/** Called in the measured process: sends `ready`, and then the CPU time for each message. @param close ends the server */
export function reportCpu(ready: Ready, close: () => Promise<void>): void {
  process.on('message', (message) => {
    if (message === 'stop') {
      void close().then(() => process.disconnect());
      return;
    }
    const { user, system } = process.cpuUsage();
    process.send!(user + system);
  });
  process.send!(ready);
}
