import type { SourceId } from '../../engine/media-track.js';
import type { MediaWorker } from './media-worker.js';
import type { PlacementPolicy, PlacementRequest } from './placement.js';
import { StreamAssignment } from './stream-assignment.js';

/** A session, and the worker that it is assigned to. */
export interface Assignment extends Pick<PlacementRequest, 'role'> {
  readonly stream: string;
  readonly worker: MediaWorker;
}

/**
 * Assigns sessions to workers, and has each stream relayed from its home to the other workers that have sessions of it.
 */
export class WorkerAssignments {
  readonly #workers: readonly MediaWorker[];
  readonly #placement: PlacementPolicy;
  readonly #streams = new Map<string, StreamAssignment>();
  /** By worker index, including sessions that are being opened. */
  readonly #sessions: number[];

  constructor(workers: readonly MediaWorker[], placement: PlacementPolicy) {
    this.#workers = workers;
    this.#placement = placement;
    this.#sessions = workers.map(() => 0);
  }

  sessionsOf({ index }: MediaWorker): number {
    return this.#sessions[index]!;
  }

  /** The workers to try for a session, best first. @param running the workers that can take one */
  candidates(role: PlacementRequest['role'], stream: string, running: readonly MediaWorker[]): readonly MediaWorker[] {
    const assignment = this.#streams.get(stream);
    const home = assignment?.home;
    if (role === 'publisher' && assignment?.isHomeFixed) return running.filter(({ index }) => index === home);
    const loads = running.map((worker) => ({
      index: worker.index,
      sessions: this.sessionsOf(worker),
      sessionsOfStream: assignment?.sessionsOn(worker.index) ?? 0,
    }));
    const best = this.#placement({ role, home }, loads).flatMap((index) => this.#workers[index] ?? []);
    // One candidate for a publisher: two publishers that connect together must not end up in two workers.
    return role === 'publisher' ? best.slice(0, 1) : best;
  }

  assign(role: PlacementRequest['role'], stream: string, worker: MediaWorker): Assignment {
    const assignment = this.#assignmentOf(stream);
    const setsHome = role === 'publisher' && !assignment.isHomeFixed;
    if (setsHome) assignment.home = worker.index;
    assignment.add(worker.index, role);
    this.#sessions[worker.index]!++;
    for (const index of setsHome ? assignment.workers : [worker.index]) this.#updateRelay(stream, assignment, index);
    return { role, stream, worker };
  }

  release({ role, stream, worker }: Assignment): void {
    const assignment = this.#assignmentOf(stream);
    assignment.remove(worker.index, role);
    this.#sessions[worker.index]!--;
    if (!assignment.sessionsOn(worker.index)) this.#updateRelay(stream, assignment, worker.index);
    this.#removeIfEmpty(stream);
  }

  /** The worker of the stream's publishers. Undefined: none, or it is being restarted. */
  homeOf(stream: string): MediaWorker | undefined {
    const home = this.#streams.get(stream)?.home;
    return home === undefined ? undefined : this.#workers[home];
  }

  onLive(worker: MediaWorker, stream: string, source: SourceId): void {
    const assignment = this.#assignmentOf(stream);
    assignment.home ??= worker.index;
    assignment.live.add(source);
  }

  onEnded(stream: string, source: SourceId): void {
    this.#streams.get(stream)?.live.delete(source);
    this.#removeIfEmpty(stream);
  }

  /** Call before the worker's sessions are released. @returns the sources that ended with it */
  onWorkerExit(worker: MediaWorker): (readonly [stream: string, source: SourceId])[] {
    const ended: (readonly [stream: string, source: SourceId])[] = [];
    for (const [stream, assignment] of this.#streams) {
      if (assignment.home !== worker.index) continue;
      for (const source of assignment.live) ended.push([stream, source]);
      assignment.home = undefined;
      assignment.live.clear();
      for (const index of assignment.workers) this.#updateRelay(stream, assignment, index);
      this.#removeIfEmpty(stream);
    }
    return ended;
  }

  /** Forgets all streams. @returns the sources that were live */
  clear(): (readonly [stream: string, source: SourceId])[] {
    const live = [...this.#streams].flatMap(([stream, { live }]) =>
      [...live].map((source) => [stream, source] as const),
    );
    this.#streams.clear();
    return live;
  }

  /**
   * Tells a worker where to relay the stream from: from the home, if it has sessions of the stream and is not the home.
   */
  #updateRelay(stream: string, assignment: StreamAssignment, index: number): void {
    if (this.#workers.length === 1) return;
    const { home } = assignment;
    const isRelayed = home !== undefined && home !== index && assignment.sessionsOn(index) > 0;
    const homePath = isRelayed ? this.#workers[home]!.relayPath : undefined;
    this.#workers[index]!.notify({ type: 'follow', stream, home: homePath });
  }

  #assignmentOf(stream: string): StreamAssignment {
    const assignment = this.#streams.get(stream) ?? new StreamAssignment();
    this.#streams.set(stream, assignment);
    return assignment;
  }

  #removeIfEmpty(stream: string): void {
    if (this.#streams.get(stream)?.isEmpty) this.#streams.delete(stream);
  }
}
