/** What the server wrote into the page for the theme of its account. */
export interface PageTheme {
  /** Of the account. Empty: it has none. */
  readonly name: string;
  readonly logoUrl: string | undefined;
}

export function pageTheme(): PageTheme {
  return {
    name: document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? '',
    logoUrl: document.querySelector<HTMLLinkElement>('link[rel="icon"][data-logo]')?.href,
  };
}
