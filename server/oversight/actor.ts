import { AsyncLocalStorage } from 'node:async_hooks';

/** Who changes something. Shapes as in src/wire/management/audit.ts. */
export interface Actor {
  readonly by: 'secret' | 'dashboard' | 'cli' | 'server';
  readonly id: string | null;
}

const SERVER: Actor = { by: 'server', id: null };
const acting = new AsyncLocalStorage<Actor>();

/** Whatever `work` changes, now and after its awaits, is written down as done by `actor`. */
export function runAsActor<Result>(actor: Actor, work: () => Result): Result {
  return acting.run(actor, work);
}

/** Nobody named: the server itself, or the program that it is mounted in. */
export function currentActor(): Actor {
  return acting.getStore() ?? SERVER;
}
