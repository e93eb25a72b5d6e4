/** RE2 looks for the other letter case of each character of a range, up to the last one that has a case (𞥃). */
const LAST_WITH_CASE = 0x1e943;
/** Characters whose letter case is found in the time of one instruction. */
const CASES_PER_INSTRUCTION = 128;
/** A named class, such as `\pL`, has hundreds of ranges. */
const INSTRUCTIONS_OF_NAMED_CLASS = 50;

/** Also where it is no class, as in `\\pL`. */
const NAMED_CLASS = /\\[pP]/g;
/** `(?i)`, also with other flags and with a group. */
const IGNORES_CASE = /\(\?[A-Za-z-]*i/;
/** The ends of each range, and of what only looks like one. What `\x` or a digit follows can be any character. */
const RANGE = /(?<from>[^])(?=-(?<to>\\[x0-7]|[^]))/gsu;

/**
 * What the classes of a pattern cost when it is compiled, in program instructions that take as long. In the program,
 * each class is one instruction. At least what they cost: estimated from the text, because compiling takes long.
 */
export function costOfClasses(pattern: string): number {
  const named = [...pattern.matchAll(NAMED_CLASS)].length * INSTRUCTIONS_OF_NAMED_CLASS;
  if (!IGNORES_CASE.test(pattern)) return named;
  const characters = [...pattern.matchAll(RANGE)].map(({ groups }) => charactersOf(groups!['from']!, groups!['to']!));
  return named + Math.floor(characters.reduce((sum, count) => sum + count, 0) / CASES_PER_INSTRUCTION);
}

function charactersOf(from: string, to: string): number {
  const last = to.length > 1 && to.startsWith('\\') ? LAST_WITH_CASE : Math.min(to.codePointAt(0)!, LAST_WITH_CASE);
  return Math.max(0, last - from.codePointAt(0)!);
}
