import type { MediaWorker } from './media-worker.js';
import type { Assignment, WorkerAssignments } from './worker-assignments.js';

/** The open sessions of the engine, and the worker of each. One that ends is released from its worker. */
export class EngineSessions {
  readonly #assignments: Pick<WorkerAssignments, 'release'>;
  readonly #open = new Map<string, Assignment>();
  /** Those that are streams on their way to another server. */
  readonly #sentRelays = new Set<string>();

  constructor(assignments: Pick<WorkerAssignments, 'release'>) {
    this.#assignments = assignments;
  }

  add(id: string, assignment: Assignment): void {
    this.#open.set(id, assignment);
  }

  /** A session that is a stream on its way to another server. */
  addSentRelay(id: string, assignment: Assignment): void {
    this.add(id, assignment);
    this.#sentRelays.add(id);
  }

  /** @returns what it was assigned to. Undefined: it has ended already */
  end(id: string): Assignment | undefined {
    const assignment = this.#open.get(id);
    if (!assignment) return undefined;
    this.#open.delete(id);
    this.#sentRelays.delete(id);
    this.#assignments.release(assignment);
    return assignment;
  }

  /** Ends all sessions of a worker. @returns their ids */
  endOf(worker: MediaWorker): string[] {
    const ids = [...this.#open].flatMap(([id, assignment]) => (assignment.worker === worker ? [id] : []));
    for (const id of ids) this.end(id);
    return ids;
  }

  /** The ids of the relays of a stream to other servers, from workers that are no longer its home. */
  movedRelays(stream: string, home: MediaWorker): string[] {
    return [...this.#sentRelays].filter((id) => {
      const assignment = this.#open.get(id);
      return assignment?.stream === stream && assignment.worker !== home;
    });
  }

  /** Forgets all sessions, with their workers. */
  clear(): void {
    this.#open.clear();
    this.#sentRelays.clear();
  }
}
