/**
 * Sets the custom states of an element, which a page can style with `:state(live)`. Removes all others.
 * @param states always the same object: the next one that WebKit creates, after a garbage collection, lists no states
 */
export function setCustomStates(states: CustomStateSet, ...names: readonly (string | false | undefined)[]): void {
  // Absent before Safari 17.4, and on a server.
  if (!(states as CustomStateSet | undefined)) return;
  for (const state of states) if (!names.includes(state)) states.delete(state);
  for (const name of names) if (name) states.add(name);
}
