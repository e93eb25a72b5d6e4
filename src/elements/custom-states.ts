/** Makes these the element's only custom states, for `:state(live)` in the page's styles: its phase, and what else is true. */
export function setCustomStates({ states }: ElementInternals, ...names: readonly (string | false)[]): void {
  // Absent before Safari 17.4, and where a page is rendered on a server.
  if (!(states as CustomStateSet | undefined)) return;
  for (const state of states) if (!names.includes(state)) states.delete(state);
  for (const name of names) if (name) states.add(name);
}
