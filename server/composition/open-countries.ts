import { CountryDatabase, type CountryDatabaseOptions } from '../addresses/country-database.js';
import { ConfigError, configFaultText } from '../config/config-error.js';
import type { Config } from '../config/config.js';

/**
 * Opens the database of countries. Undefined: there is none.
 * @throws {ConfigError} the file cannot be read
 */
export function openCountries(
  { geoipDb }: Pick<Config, 'geoipDb'>,
  options: CountryDatabaseOptions,
): CountryDatabase | undefined {
  if (geoipDb === undefined) return undefined;
  try {
    return new CountryDatabase(geoipDb, options);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError([configFaultText('GEOIP_DB', `must be a file in MaxMind's format: ${reason}`, geoipDb)]);
  }
}
