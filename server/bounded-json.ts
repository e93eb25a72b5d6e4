/** Nothing that the server is sent has more levels. */
const MAX_DEPTH = 32;
/** Nothing that the server is sent has more fields in one object. */
const MAX_FIELDS = 256;
/** The longest tokens have 4,000 values, and lists of ids two characters for each. */
const MAX_VALUES = 4_500;
const FEW_VALUES = 1_024;
const LENGTH_PER_VALUE = 12;

/** JSON that would take many times its size in memory: V8 has 56 bytes for `{}`. */
export class TooMuchJsonError extends SyntaxError {
  override name = 'TooMuchJsonError';
}

/**
 * Parses JSON of strangers. Counts its values before, so that it takes memory in proportion to its length.
 * @param mostValues for lists of anything, such as streams, `Infinity`: then only the length is a limit
 * @throws {TooMuchJsonError} more than 32 levels, or than 1,024 values and one for each 12 characters, at most 4,500, or one object with more than 256 fields
 * @throws {SyntaxError} it is not JSON
 */
export function parseJson(text: string, mostValues = MAX_VALUES): unknown {
  if (hasTooMuchJson(text, mostValues))
    throw new TooMuchJsonError(`${text.length} characters of JSON have too many values or levels`);
  return JSON.parse(text);
}

/** Whether `parseJson` would refuse it. Text may be UTF-8 read as Latin-1. */
export function hasTooMuchJson(text: string, mostValues = MAX_VALUES): boolean {
  const most = Math.min(mostValues, FEW_VALUES + text.length / LENGTH_PER_VALUE);
  let values = 0;
  /** Of each object around, how many fields it has. Lists have none. */
  const fields: number[] = [];
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at);
        break;
      case '{':
      case '[':
        values++;
        if (fields.push(0) > MAX_DEPTH) return true;
        break;
      case '}':
      case ']':
        fields.pop();
        break;
      case ':':
        if (++fields[fields.length - 1]! > MAX_FIELDS) return true;
        break;
      case ',':
        if (++values > most) return true;
        break;
    }
  }
  return false;
}

/** Where the closing quote is. A text that never closes is left to the parser. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
