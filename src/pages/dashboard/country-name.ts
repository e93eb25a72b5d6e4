/** `Switzerland` for `CH`. @param language BCP 47 tag */
export const countryName = (code: string, language: string): string =>
  new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(code) ?? code;
