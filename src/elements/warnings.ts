/**
 * Writes the code of a refusal and the URL of its documentation to the console, for the developer of the page. The tag
 * shows only texts for visitors.
 *
 * @param endpoint origin of the server, which serves a page for each code
 * @param code the refusal code
 */
export function warnOfRefusal(tag: string, endpoint: string, code: string): void {
  const address = `${endpoint.replace(/\/+$/, '')}/errors/${code}`;
  console.warn(`<${tag}> on ${location.origin} is refused: ${address}`);
}

/** Writes to the console that the value of an attribute is not a height. */
export function warnOfHeight(tag: string, name: string, value: unknown): void {
  console.warn(`<${tag} ${name}="${value}"> counts as "auto"`);
}
