/**
 * The name that `word` is probably a misspelling of. Undefined: no name is similar enough.
 * @param limitFor the most edits allowed for a name of this length
 */
export function nearestName(
  word: string,
  names: Iterable<string>,
  limitFor: (length: number) => number,
): string | undefined {
  let nearest: { readonly name: string; readonly edits: number } | undefined;
  for (const name of names) {
    const edits = editDistance(word, name);
    if (edits <= limitFor(name.length) && edits < (nearest?.edits ?? Infinity)) nearest = { name, edits };
  }
  return nearest?.name;
}

/**
 * The number of letters to add, remove, replace or swap with a neighbour to turn one word into the other (optimal string
 * alignment distance).
 */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const present = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = last[column - 1]! + Number(from[row - 1] !== to[column - 1]);
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swapped = isSwap ? beforeLast[column - 2]! + 1 : Infinity;
      present.push(Math.min(replaced, last[column]! + 1, present[column - 1]! + 1, swapped));
    }
    [beforeLast, last] = [last, present];
  }
  return last[to.length]!;
}
