import type { ServerProcess } from './server-process.js';

/** The newest process of this name, such as `recorder`, from the log of the server. */
export function processId(server: ServerProcess, name: string): number {
  const entry = [...server.output().matchAll(new RegExp(`^\\{.*"the ${name} is running".*\\}$`, 'gm'))].at(-1)?.[0];
  if (entry === undefined) throw new Error(`the server has started no ${name}`);
  return JSON.parse(entry).pid;
}
