/**
 * Where a spreadsheet would take text for a formula: at its start, and behind the characters at which spreadsheets split
 * lines and cells in some countries, as they ignore the quotes of other delimiters then. Spaces and quotes may be before.
 * In some languages the wide characters (＝) begin a formula too, as OWASP says of CSV injection.
 */
const FORMULAS = /(^|[;\t\r\n])(?=["' ]*[=+\-@＝＋－＠])|^(?='*[\t\r])/g;
const HARMLESS = /(^|[;\t\r\n])'(?=["' ]*[=+\-@＝＋－＠])|^'(?='*[\t\r])/g;

/** The text with an apostrophe at each of these places, so that it is shown and nothing runs. */
export function withoutFormulas(text: string): string {
  return text.replace(FORMULAS, "$1'");
}

/** The text that `withoutFormulas` made it of. */
export function withFormulas(text: string): string {
  return text.replace(HARMLESS, '$1');
}
