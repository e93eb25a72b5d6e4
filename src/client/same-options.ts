/** Whether two options objects have identical values. */
export function sameOptions(a: object | undefined, b: object | undefined): boolean {
  if (!a || !b) return a === b;
  const before = new Map<string, unknown>(Object.entries(a));
  return Object.entries(b).every(([name, value]) => before.get(name) === value);
}
