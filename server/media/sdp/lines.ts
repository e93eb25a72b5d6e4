/**
 * Reads SDP line by line (RFC 8866 section 5), with any line ending and without empty lines. Nothing of a line is kept,
 * so that a text of many short lines does not take many times its size.
 * @param onLine gets the letter and what follows `=`. The letter is '' if the line is none of SDP
 */
export function readLines(sdp: string, onLine: (letter: string, value: string) => void): void {
  let [carriageReturn, lineFeed] = [-1, -1];
  for (let start = 0; start < sdp.length;) {
    if (carriageReturn < start) carriageReturn = placeOf('\r', sdp, start);
    if (lineFeed < start) lineFeed = placeOf('\n', sdp, start);
    const end = Math.min(carriageReturn, lineFeed);
    if (sdp[start + 1] === '=' && start + 1 < end) onLine(sdp[start]!, sdp.slice(start + 2, end));
    else if (end > start) onLine('', sdp.slice(start, end));
    start = end + 1;
  }
}

/** The end of the text if it is not there. */
function placeOf(character: string, text: string, start: number): number {
  const place = text.indexOf(character, start);
  return place < 0 ? text.length : place;
}

/** The value of `a=name:value`, without the spaces around it. Undefined: another attribute. */
export function attributeValue(attribute: string, name: string): string | undefined {
  const isIt = attribute.startsWith(name) && attribute[name.length] === ':';
  return isIt ? attribute.slice(name.length + 1).trim() : undefined;
}
