import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseUnavailableError, InvalidRequestError } from '../../../../server/errors.js';
import { logoTypeOf, NO_THEME, type Theme } from '../../../../server/accounts/theme/theme.js';
import { ThemeService } from '../../../../server/accounts/theme/theme-service.js';
import { jpegHeader, pngHeader, webpHeader } from '../../../support/images.js';
import type { ThemeStore } from '../../../../server/accounts/theme/theme-store.js';

const PNG = pngHeader(512, 512);
const base64 = (bytes: Buffer) => bytes.toString('base64');
const refusedWith = (code: string) => (error: unknown) => error instanceof InvalidRequestError && error.code === code;

/** One server with a store of its own in memory. */
function service() {
  const saved = new Map<string, Theme>();
  const state = { now: 0, reads: 0, isAway: false, until: Promise.resolve() };
  const faults: unknown[] = [];
  const store: ThemeStore = {
    async find(account) {
      state.reads += 1;
      await state.until;
      if (state.isAway) throw new DatabaseUnavailableError();
      return saved.get(account);
    },
    async update(account, change) {
      const theme = { ...(saved.get(account) ?? NO_THEME), ...change };
      saved.set(account, theme);
      return theme;
    },
    remove: async (account) => saved.delete(account),
  };
  const themes = new ThemeService(
    store,
    () => state.now,
    (error) => faults.push(error),
  );
  return { themes, saved, state, faults };
}

describe('the theme of an account', () => {
  it('keeps colours in lower case, and the type of the logo by its bytes', async () => {
    const { themes } = service();
    assert.deepEqual(await themes.update('acme', { accent: '#E5484D', logo: base64(PNG) }), {
      ...NO_THEME,
      accent: '#e5484d',
      logo: { type: 'image/png', bytes: PNG },
    });
  });

  it('refuses an accent on which white text cannot be read, and changes nothing', async () => {
    const { themes, saved } = service();
    await assert.rejects(themes.update('acme', { name: 'ACME', accent: '#ffd400' }), (error) => {
      assert.ok(error instanceof InvalidRequestError && error.code === 'contrast_too_low');
      assert.match(error.message, /contrast of 2\.38, and needs 4\.5; the nearest colour that has it is #\w{6}/);
      return true;
    });
    assert.equal(saved.size, 0);
  });

  for (const [what, bytes] of [
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['a GIF', Buffer.from('GIF89a')],
    ['another RIFF file', Buffer.from('RIFF....WAVE')],
    ['nothing', Buffer.alloc(0)],
    ['a PNG without a size', Buffer.from('\x89PNG\r\n\x1a\nimage', 'latin1')],
    ['more than 200 kB', Buffer.concat([PNG, Buffer.alloc(200_000)])],
  ] as const) {
    it(`refuses ${what} as a logo`, async () => {
      await assert.rejects(service().themes.update('acme', { logo: base64(bytes) }), refusedWith('logo_unreadable'));
    });
  }

  for (const [what, bytes] of [
    ['PNG', pngHeader(2_001, 1)],
    ['PNG', pngHeader(1, 0xffff_ffff)],
    ['JPEG', jpegHeader(65_535, 65_535)],
    ['WebP', webpHeader('VP8X', 16_383, 16_383)],
  ] as const) {
    it(`refuses a ${what} with too many pixels as a logo`, async () => {
      await assert.rejects(service().themes.update('acme', { logo: base64(bytes) }), refusedWith('logo_too_large'));
    });
  }

  it('takes a logo of 2,000 x 2,000 pixels', async () => {
    const theme = await service().themes.update('acme', { logo: base64(pngHeader(2_000, 2_000)) });
    assert.equal(theme.logo?.type, 'image/png');
  });

  it('is shown for ten seconds without another read, and at once after a change on this server', async () => {
    const { themes, saved, state } = service();
    assert.equal(await themes.shown('acme'), NO_THEME);
    await themes.update('acme', { name: 'ACME' });
    assert.deepEqual([(await themes.shown('acme')).name, state.reads], ['ACME', 1]);
    saved.set('acme', { ...NO_THEME, name: 'by another server' });
    state.now = 9_999;
    assert.equal((await themes.shown('acme')).name, 'ACME');
    state.now = 10_000;
    assert.equal((await themes.shown('acme')).name, 'by another server');
    await themes.reset('acme');
    assert.equal(await themes.shown('acme'), NO_THEME);
  });

  it('is looked up for few accounts at once, however many strangers name', async () => {
    const { themes, saved, state, faults } = service();
    const waiting = Promise.withResolvers<void>();
    state.until = waiting.promise;
    saved.set('acme', { ...NO_THEME, name: 'ACME' });
    const asked = Array.from({ length: 1_000 }, (_, index) => themes.shown(`nobody-${index}`));
    assert.equal(await themes.shown('acme'), NO_THEME);
    assert.equal(state.reads, 2);
    waiting.resolve();
    for (const theme of await Promise.all(asked)) assert.equal(theme, NO_THEME);
    assert.equal((await themes.shown('acme')).name, 'ACME');
    assert.deepEqual([state.reads < 250, faults], [true, []]);
  });

  it('is that of the product while the database is away, and the operator learns of it', async () => {
    const { themes, state, faults } = service();
    state.isAway = true;
    assert.equal(await themes.shown('acme'), NO_THEME);
    assert.ok(faults[0] instanceof DatabaseUnavailableError);
    await assert.rejects(themes.get('acme'), DatabaseUnavailableError);
  });
});

describe('the type of an image', () => {
  for (const [bytes, type] of [
    ['\x89PNG\r\n\x1a\n', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['RIFF\x00\x00\x00\x00WEBPVP8 ', 'image/webp'],
    ['\x89PNG', undefined],
    ['', undefined],
  ] as const) {
    it(`is ${type ?? 'unknown'} for ${JSON.stringify(bytes)}`, () =>
      assert.equal(logoTypeOf(Buffer.from(bytes, 'latin1')), type));
  }
});
