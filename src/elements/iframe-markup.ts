/**
 * The code of a frame around a page for viewers, with leave for all that the player does, and for nothing else.
 *
 * @param link as `URL` writes it: it has made percent codes of quotes and angle brackets, in its fragment too
 */
export function iframeMarkup(link: string): string {
  const address = link.replaceAll('&', '&amp;').replaceAll("'", '&#39;');
  // Safari before 17 knows fullscreen by an attribute of its own.
  return `<iframe src="${address}" title="Live video" allow="autoplay; fullscreen; picture-in-picture" allowfullscreen width="640" height="360"></iframe>`;
}
