import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { CountryDatabase } from '../../../server/addresses/country-database.js';
import { Cleanup } from '../../support/cleanup.js';
import { countryFile } from '../../support/country-file.js';
import { dataFolder } from '../../support/data-folder.js';

const swiss = countryFile({ '192.0.2.0/24': 'CH', '2001:db8::/32': 'DE' });
const austrian = countryFile({ '192.0.2.0/24': 'AT', '198.51.100.0/25': 'FR' });

describe('CountryDatabase', () => {
  const cleanup = new Cleanup();
  let file: string;
  let reloaded: PromiseWithResolvers<void>;
  let reloads: number;
  let errors: unknown[];

  beforeEach(async () => {
    file = join(await dataFolder(cleanup), 'country.mmdb');
    writeFileSync(file, swiss);
    [reloaded, reloads, errors] = [Promise.withResolvers(), 0, []];
  });
  afterEach(() => cleanup.run());

  const open = (checkEveryMs = 0) => {
    const onReload = () => {
      reloads += 1;
      reloaded.resolve();
    };
    const database = new CountryDatabase(file, { checkEveryMs, onReload, onError: (error) => errors.push(error) });
    cleanup.after(() => database.close());
    return database;
  };
  const replace = (content: Buffer) => {
    writeFileSync(`${file}.new`, content);
    renameSync(`${file}.new`, file);
  };

  it('knows the country of IPv4 and IPv6 addresses', () => {
    const countries = open();
    assert.deepEqual(
      ['192.0.2.7', '2001:db8:1::1', '198.51.100.1', '2001:db9::1', ''].map((address) => countries.countryOf(address)),
      ['CH', 'DE', undefined, undefined, undefined],
    );
  });

  it('refuses to open a file that is missing, or is something else, or the beginning of a file', () => {
    for (const content of [Buffer.from('no database'), swiss.subarray(0, swiss.length / 2), Buffer.alloc(0)]) {
      writeFileSync(file, content);
      assert.throws(open);
    }
    rmSync(file);
    assert.throws(open, /ENOENT/);
  });

  it('uses a file that replaces it', async () => {
    const countries = open(1);
    replace(austrian);
    await reloaded.promise;
    assert.deepEqual([countries.countryOf('192.0.2.7'), countries.countryOf('198.51.100.1')], ['AT', 'FR']);
  });

  it('reads nothing while the file stays the same', async () => {
    const countries = open();
    await countries.reload();
    assert.equal(reloads, 0);
  });

  it('keeps the countries that it has while the file is missing or broken, and reports a broken one once', async () => {
    const countries = open();
    rmSync(file);
    await countries.reload();
    assert.deepEqual([countries.countryOf('192.0.2.7'), errors.length], ['CH', 0]);
    replace(austrian.subarray(0, austrian.length / 2));
    await countries.reload();
    await countries.reload();
    assert.deepEqual([countries.countryOf('192.0.2.7'), errors.length], ['CH', 1]);
    replace(austrian);
    await countries.reload();
    assert.equal(countries.countryOf('192.0.2.7'), 'AT');
  });

  it('answers for every address', () => {
    const countries = open();
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        assert.ok(['CH', 'DE', undefined].includes(countries.countryOf(address)));
      }),
    );
  });
});
