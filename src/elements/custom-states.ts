type Internals = Pick<ElementInternals, 'states'>;

/**
 * The sets of states. Each is kept as long as its element: the next object that WebKit creates, after a garbage collection,
 * lists no states, so that none would be removed.
 */
const kept = new WeakMap<Internals, CustomStateSet>();

/** Sets the custom states of an element, which a page can style with `:state(live)`. Removes all others. */
export function setCustomStates(internals: Internals, ...names: readonly (string | false | undefined)[]): void {
  const states = (kept.get(internals) ?? internals.states) as CustomStateSet | undefined;
  // Absent before Safari 17.4, and on a server.
  if (!states) return;
  kept.set(internals, states);
  for (const state of states) if (!names.includes(state)) states.delete(state);
  for (const name of names) if (name) states.add(name);
}
