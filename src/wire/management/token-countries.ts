import * as z from 'zod/mini';
import { text } from '../text.js';

const MAX_COUNTRIES = 300;
const regionNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

const country = text.check(
  z.toUpperCase(),
  z.refine(isCountry, 'must be the code of a country with two letters (ISO 3166-1), such as CH'),
);

/** Countries of viewers or publishers. Null: none. */
export const countries = z.nullable(z.array(country).check(z.maxLength(MAX_COUNTRIES)));

/** Whether databases of addresses may have the code: `UK` is a spelling of `GB` that none of them has. */
export function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || new Intl.Locale(`und-${code}`).region !== code) return false;
  return code !== 'ZZ' && regionNames.of(code) !== undefined;
}
