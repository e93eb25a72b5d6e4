/** Finds the country of an address. */
export interface CountrySource {
  /** @returns an ISO 3166-1 code of two letters; undefined if the country of the address is not known */
  countryOf(address: string): string | undefined;
}

/** Knows no country: where there is no database. */
export const NO_COUNTRIES: CountrySource = { countryOf: () => undefined };
