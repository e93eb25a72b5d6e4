import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { AuditStore } from '../../../../server/oversight/audit-store.js';
import { logoPath, NO_THEME, type Theme } from '../../../../server/accounts/theme/theme.js';
import type { ThemeStore } from '../../../../server/accounts/theme/theme-store.js';
import { Cleanup } from '../../../support/cleanup.js';

export interface ThemeStores {
  readonly themes: ThemeStore;
  readonly audit: AuditStore;
}

const LOGO = { type: 'image/png', bytes: Buffer.from([0x89, 0x50, 0, 255]) } as const;
const THEME: Theme = { name: 'ACME 🎥', accent: '#006600', background: '#ffffff', logo: LOGO };

/** The contract of ThemeStore. `open` returns empty stores with the accounts acme and other. */
export function themeStoreContract(name: string, open: (cleanup: Cleanup) => Promise<ThemeStores>): void {
  describe(`${name} as a ThemeStore`, () => {
    const cleanup = new Cleanup();
    let { themes, audit }: ThemeStores = {} as ThemeStores;

    beforeEach(async () => {
      ({ themes, audit } = await open(cleanup));
    });
    afterEach(() => cleanup.run());

    const changes = async () =>
      (await audit.list('acme', { page: 1, itemsOnPage: 2 })).entries.map(({ action, before, after }) => ({
        action,
        before,
        after,
      }));

    it('returns what was saved, for that account only', async () => {
      assert.equal(await themes.find('acme'), undefined);
      assert.deepEqual(await themes.update('acme', THEME, 1), THEME);
      assert.deepEqual(await themes.find('acme'), THEME);
      assert.deepEqual([await themes.find('other'), await themes.find('nobody')], [undefined, undefined]);
    });

    it('changes the given fields, and removes those that are null', async () => {
      await themes.update('acme', THEME, 1);
      assert.deepEqual(await themes.update('acme', { accent: null, name: 'New' }, 2), {
        ...THEME,
        accent: null,
        name: 'New',
      });
      assert.deepEqual(await themes.update('acme', { logo: null }, 3), {
        ...THEME,
        accent: null,
        name: 'New',
        logo: null,
      });
    });

    it('loses no change of concurrent updates', async () => {
      await Promise.all([
        themes.update('acme', { name: 'A' }, 1),
        themes.update('acme', { accent: '#006600' }, 1),
        themes.update('acme', { background: '#000000' }, 1),
      ]);
      assert.deepEqual(await themes.find('acme'), { name: 'A', accent: '#006600', background: '#000000', logo: null });
    });

    it('removes the theme of one account', async () => {
      await themes.update('acme', THEME, 1);
      await themes.update('other', THEME, 1);
      assert.deepEqual([await themes.remove('acme', 2), await themes.remove('acme', 3)], [true, false]);
      assert.deepEqual([await themes.find('acme'), await themes.find('other')], [undefined, THEME]);
    });

    it('writes each change to the audit log, without the image', async () => {
      await themes.update('acme', THEME, 1);
      await themes.remove('acme', 2);
      const fields = { ...THEME, logo: logoPath('acme', LOGO) };
      assert.deepEqual(await changes(), [
        { action: 'theme_removed', before: fields, after: null },
        { action: 'theme_changed', before: NO_THEME, after: fields },
      ]);
    });
  });
}
