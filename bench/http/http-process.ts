import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A server under measurement, in a process of its own so that its CPU time is its own. */
export interface HttpProcess {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** CPU time since it started, user and system together, in µs. */
  cpuMicros(): Promise<number>;
  stop(): Promise<void>;
}

/** What a server file tells once it listens. */
export type Ready = Pick<HttpProcess, 'url' | 'headers' | 'body'>;

/** Starts a file of this folder that sends `Ready`, and then its CPU time whenever it gets a message. */
export async function startHttpProcess(file: string): Promise<HttpProcess> {
  const child = fork(join(import.meta.dirname, file), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ready = await answerOf<Ready>(child);
  return {
    ...ready,
    async cpuMicros() {
      const answer = answerOf<number>(child);
      child.send('cpu');
      return answer;
    },
    async stop() {
      child.send('stop');
      await once(child, 'exit');
    },
  };
}

async function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  const [answer] = await once(child, 'message');
  return answer as Answer;
}

/** The other half, for the process itself. `close` ends what keeps it running. */
export function reportCpu(ready: Ready, close: () => Promise<void>): void {
  process.on('message', (question) => {
    if (question === 'stop') {
      void close().then(() => process.disconnect());
      return;
    }
    const { user, system } = process.cpuUsage();
    process.send!(user + system);
  });
  process.send!(ready);
}
