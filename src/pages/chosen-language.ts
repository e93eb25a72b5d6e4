/** The entry of the local storage, which all pages of the server share. */
const KEY = 'streamgate-language';

/** What was chosen in this browser. Empty: nothing, or it stores nothing. */
export function chosenLanguage(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

/**
 * Remembers a choice. The address then names no language, so that whoever is sent it reads their own. In a browser that
 * stores nothing, the address names it.
 */
export function rememberLanguage(language: string): void {
  history.replaceState(history.state, '', addressIn(location.href, stored(language) ? undefined : language));
}

function stored(language: string): boolean {
  try {
    localStorage.setItem(KEY, language);
    return true;
  } catch {
    return false;
  }
}

/** @param language undefined: the address names none */
export function addressIn(address: string, language: string | undefined): string {
  const url = new URL(address);
  if (language === undefined) url.searchParams.delete('lang');
  else url.searchParams.set('lang', language);
  return url.href;
}
