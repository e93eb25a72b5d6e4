/** Makes the phase the element's only custom state, for `:state(live)` in the page's styles. */
export function showState({ states }: ElementInternals, phase: string): void {
  // Absent before Safari 17.4, and where a page is rendered on a server.
  if (!(states as CustomStateSet | undefined) || states.has(phase)) return;
  states.clear();
  states.add(phase);
}
