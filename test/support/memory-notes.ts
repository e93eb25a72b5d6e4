import type { NotedSession, SessionNotes } from '../../server/upstream/session-notes.js';

/** Notes of sessions at upstreams, in memory. */
export class MemoryNotes implements SessionNotes {
  readonly #notes = new Map<string, NotedSession & { readonly owner: string; readonly on: number }>();

  get ids(): readonly string[] {
    return [...this.#notes.keys()];
  }

  async add(owner: string, note: NotedSession, on: number): Promise<void> {
    this.#notes.set(note.id, { ...note, owner, on });
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#notes.delete(id);
  }

  async takeOver(owner: string, alive: readonly string[], until: number): Promise<readonly NotedSession[]> {
    const lost = [...this.#notes.values()].filter(
      (note) => note.owner !== owner && !alive.includes(note.owner) && note.on <= until,
    );
    for (const note of lost) this.#notes.set(note.id, { ...note, owner });
    return lost.map(({ id, session }) => ({ id, session }));
  }
}
