import type { ServerProcess } from '../../support/server-process.ts';

/** The processes that carry media, by their ports: the last one at each, as the server's log tells. */
export function mediaProcesses(server: ServerProcess): ReadonlyMap<number, number> {
  const entries = [...server.output().matchAll(/^\{.*"the media engine is running".*\}$/gm)];
  const running = entries.map(([entry]): { udpPort: number; pid: number } => JSON.parse(entry!));
  return new Map(running.map(({ udpPort, pid }) => [udpPort, pid]));
}
