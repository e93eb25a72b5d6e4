import { AsyncLocalStorage } from 'node:async_hooks';

/** Who makes a change, in the form that the audit log shows. */
export interface Actor {
  readonly by: 'secret' | 'key' | 'dashboard' | 'cli' | 'server';
  readonly id: string | null;
  /** The name of the member or of the key at that time. Absent: it is neither. */
  readonly name?: string;
}

const SERVER: Actor = { by: 'server', id: null };
const actors = new AsyncLocalStorage<Actor>();

/** Runs `work` so that the audit log attributes its changes to `actor`, including those after an await. */
export function runAsActor<Result>(actor: Actor, work: () => Result): Result {
  return actors.run(actor, work);
}

/** The actor of the present asynchronous context. By default the server itself, or the program that mounts it. */
export function currentActor(): Actor {
  return actors.getStore() ?? SERVER;
}
