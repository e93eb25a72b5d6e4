/** Sets the custom states of an element, which a page can style with `:state(live)`. Removes all others. */
export function setCustomStates({ states }: ElementInternals, ...names: readonly (string | false | undefined)[]): void {
  // Absent before Safari 17.4, and on a server.
  if (!(states as CustomStateSet | undefined)) return;
  for (const state of states) if (!names.includes(state)) states.delete(state);
  for (const name of names) if (name) states.add(name);
}
