/** The cells of a row, as Markdown. */
export type Row = readonly string[];

/**
 * The rows of the first table below a heading, without its header.
 * @param heading without the number signs
 * @throws {Error} the page has no such heading, or no table between it and the next one
 */
export function tableUnder(markdown: string, heading: string): readonly Row[] {
  const sections = markdown.split(/^#+ (?=.+$)/m);
  const section = sections.find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`there is no heading "${heading}"`);
  const table = /(?:^\|.*\|\n)+/m.exec(section)?.[0];
  if (table === undefined) throw new Error(`there is no table below "${heading}"`);
  return table.trim().split('\n').slice(2).map(cellsOf);
}

function cellsOf(line: string): Row {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** Every `code` part of a text. */
export function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
}
