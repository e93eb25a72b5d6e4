import type { NotedSession, SessionNotes } from '../../server/upstream/session-notes.js';

/** Notes of sessions at upstreams, in memory. */
export class MemoryNotes implements SessionNotes {
  readonly #notes = new Map<string, NotedSession & { readonly owner: string }>();

  get ids(): readonly string[] {
    return [...this.#notes.keys()];
  }

  async add(owner: string, note: NotedSession): Promise<void> {
    this.#notes.set(note.id, { ...note, owner });
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#notes.delete(id);
  }

  async takeOver(owner: string, alive: readonly string[]): Promise<readonly NotedSession[]> {
    const lost = [...this.#notes.values()].filter((note) => note.owner !== owner && !alive.includes(note.owner));
    for (const { id, session } of lost) this.#notes.set(id, { id, session, owner });
    return lost.map(({ id, session }) => ({ id, session }));
  }
}
