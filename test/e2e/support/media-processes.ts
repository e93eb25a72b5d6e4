import type { ServerProcess } from '../../support/server-process.ts';

/** The newest media process of each port, from the log of the server. */
export function mediaProcesses(server: ServerProcess): ReadonlyMap<number, number> {
  const entries = [...server.output().matchAll(/^\{.*"the media engine is running".*\}$/gm)];
  const running = entries.map(([entry]): { udpPort: number; pid: number } => JSON.parse(entry!));
  return new Map(running.map(({ udpPort, pid }) => [udpPort, pid]));
}
