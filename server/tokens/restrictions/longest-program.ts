/** A piece of a pattern that a repetition applies to: a literal text, a class, an escape, or any other character. */
const PIECE =
  /(?<flags>\(\?[A-Za-z-]+\))|\\Q(?<quoted>.*?)(?:\\E|$)|\\[pP]\{[^}]*\}|\\.|(?<class>\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\])|(?<repeat>\{(?<from>\d+)(?:,(?<to>\d*))?\})|[^]/gsu;

/**
 * A size that the program of a pattern does not exceed. RE2 writes repetitions out: `(abc){100}` has 300 instructions
 * and more. Estimated from the text, because compiling a long program takes long. The text may be no pattern at all.
 */
export function longestProgram(pattern: string): number {
  /** The size of each group that is open. */
  const groups = [0];
  /** The size of the piece that a repetition would apply to. */
  let last = 0;
  const add = (size: number): void => {
    groups.push(groups.pop()! + size);
  };
  for (const { 0: piece, groups: found = {} } of pattern.matchAll(PIECE)) {
    const { flags, quoted, repeat, from, to } = found;
    // A repetition after flags applies to what is before them.
    if (flags !== undefined) continue;
    if (piece === '(') {
      groups.push(0);
      last = 0;
    } else if (piece === ')' && groups.length > 1) {
      // A group has an instruction at each end.
      last = groups.pop()! + 2;
      add(last);
    } else if (repeat !== undefined) {
      // With `a{2,}` the last one is repeated without end; with `a{2,4}` each one that may be absent has a branch.
      const times = Math.max(1, Number(to === undefined || to === '' ? Number(from) + 1 : to));
      const repeated = (last + 2) * times;
      add(repeated - last);
      last = repeated;
    } else if (piece === '*' || piece === '+' || piece === '?') {
      last += 2;
      add(2);
    } else if (quoted === undefined) {
      last = 2;
      add(last);
    } else if (quoted !== '') {
      add(2 * quoted.length);
      // A repetition applies to the last character.
      last = 2;
    }
  }
  return groups.reduce((sum, size) => sum + size, 0);
}
