/** A table, and the tables that its foreign keys refer to. */
export interface TableReferences {
  readonly name: string;
  readonly refersTo: readonly string[];
}

/** The names, each after those that its table refers to. References to the table itself do not count. */
export function inOrderOfReferences(tables: readonly TableReferences[]): string[] {
  const left = new Map(tables.map(({ name, refersTo }) => [name, refersTo.filter((other) => other !== name)]));
  const ordered: string[] = [];
  while (left.size > 0) {
    const next = [...left].filter(([, refersTo]) => refersTo.every((name) => !left.has(name))).map(([name]) => name);
    if (next.length === 0) throw new Error(`these tables refer to each other: ${[...left.keys()].join(', ')}`);
    for (const name of next) left.delete(name);
    ordered.push(...next);
  }
  return ordered;
}
