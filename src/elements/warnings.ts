/**
 * Tells whoever runs the page why a tag was refused, and where to read what to do: what the tag shows is for visitors.
 *
 * @param endpoint origin of the server, which has a page for each code
 * @param code the service's word
 */
export function warnOfRefusal(tag: string, endpoint: string, code: string): void {
  const address = `${endpoint.replace(/\/+$/, '')}/errors/${code}`;
  console.warn(`<${tag}> on ${location.origin} is refused: ${code}. See ${address}`);
}

/** Tells them of a quality that is none. */
export function warnOfQuality(tag: string, quality: string): void {
  console.warn(`<${tag} quality="${quality}"> counts as "auto". Write auto, 720 or 720p.`);
}
