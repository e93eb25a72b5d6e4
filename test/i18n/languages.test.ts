import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { broadcasterMessages, viewerMessages } from '../../src/elements/i18n/en.js';
import { en as rewindMessages } from '../../src/elements/i18n/rewind/messages/en.js';
import { languages, registerMessages, resolveLanguage } from '../../src/elements/i18n/languages.js';

const ROOT = join(import.meta.dirname, '../..');
const shipped = readdirSync(join(ROOT, 'src/i18n')).map((file) => file.replace(/\.ts$/, ''));
for (const language of shipped) await import(`../../src/i18n/${language}.js`);

const english: Readonly<Record<string, unknown>> = { ...viewerMessages, ...broadcasterMessages, ...rewindMessages };
/** Codes without an underscore. */
const ERRORS = { replaced: true, displaced: true, unreachable: true, unexpected: true };

/** Messages that may be the same as in English. */
const SAME = new Set(['dir', 'live', 'details', 'bitrate', 'codec', 'automatic', 'pause', 'volume', 'microphone']);

for (const language of shipped) {
  describe(`the messages in ${language}`, () => {
    const messages = languages.known.get(language) as Readonly<Record<string, unknown>>;

    it('are as many as the English ones, under the same keys', () => {
      assert.deepEqual(Object.keys(messages).sort(), Object.keys(english).sort());
    });

    it('are of the same kind as the English ones, and not empty', () => {
      for (const [key, value] of Object.entries(messages)) {
        const kind = (of: unknown) => (Array.isArray(of) ? of.map((part) => typeof part) : typeof of);
        assert.deepEqual(kind(value), kind(english[key]), key);
        assert.equal([value].flat().includes(''), false, key);
      }
    });

    it('are not English', () => {
      const untranslated = Object.entries(messages).filter(
        ([key, value]) =>
          !SAME.has(key) && typeof value !== 'function' && JSON.stringify(value) === JSON.stringify(english[key]),
      );
      assert.deepEqual(untranslated, []);
    });

    it('have details in whole sentences, and titles without a full stop', () => {
      for (const [key, value] of Object.entries(messages)) {
        if (!Array.isArray(value)) continue;
        const [title, next] = value as [string, string];
        assert.doesNotMatch(title, /[.。]$/, key);
        assert.match(next, /[.。]$/, key);
      }
    });

    it('contain the number as it is given', () => {
      for (const [key, value] of Object.entries(messages)) {
        if (typeof value !== 'function') continue;
        for (const count of [0, 1, 2, 3, 11, 100, 1_234]) {
          assert.ok(value(count, String(count)).includes(String(count)), `${key} ${count}`);
        }
      }
    });

    it('are exported, and listed as a side effect for bundlers', () => {
      const { exports, sideEffects } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
      assert.deepEqual(exports[`./i18n/${language}`], {
        types: `./dist/i18n/${language}.d.ts`,
        default: `./dist/i18n/${language}.js`,
      });
      assert.ok(sideEffects.includes('./dist/i18n/*.js'));
    });
  });
}

describe('the messages of refusals', () => {
  const LINK = /link|lien|enlace|リンク|链接|رابط/i;
  for (const language of ['en', ...shipped]) {
    it(`do not mention a link in ${language}: people may not have opened the page by a link`, () => {
      const messages = language === 'en' ? english : languages.known.get(language)!;
      const linked = Object.entries(messages).filter(
        ([, value]) => typeof value !== 'function' && LINK.test([value].flat().join(' ')),
      );
      assert.deepEqual(
        linked.map(([key]) => key),
        ['viewerLink'],
      );
    });
  }
});

it('every message is used in a tag', () => {
  const folder = join(ROOT, 'src/elements');
  const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('i18n'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  // Messages of errors are looked up by code.
  const keys = Object.keys(english).filter((key) => !key.includes('_') && !Object.hasOwn(ERRORS, key));
  assert.deepEqual(
    keys.filter((key) => !new RegExp(`\\.${key}\\b|'${key}'`).test(source)),
    [],
  );
});

describe('resolveLanguage', () => {
  const cases: readonly [wanted: string[], lang: string, numbers: string][] = [
    [['de'], 'de', 'de'],
    [['de-AT'], 'de', 'de-AT'],
    [['DE_at'], 'de', 'de-AT'],
    [['zh-TW'], 'zh', 'zh-TW'],
    [['pl'], 'en', 'en'],
    [['pl', 'fr-CA', 'de'], 'fr', 'fr-CA'],
    [['en-IN', 'de'], 'en', 'en-IN'],
    [['', 'no language', 'x', 'es'], 'es', 'es'],
    [[], 'en', 'en'],
  ];
  for (const [wanted, lang, numbers] of cases) {
    it(`returns ${lang} for ${wanted.join(', ') || 'nothing'}`, () => {
      assert.deepEqual([resolveLanguage(wanted).lang, resolveLanguage(wanted).numbers], [lang, numbers]);
    });
  }

  it('returns the nearest of several matches, and fills missing messages from the more general ones', () => {
    registerMessages('sr', { live: 'uživo', play: 'pusti' });
    registerMessages('sr-Cyrl', { live: 'уживо' });
    registerMessages('sr-Cyrl-ME', { stop: 'стани' });
    const { lang, layers } = resolveLanguage(['sr-RS']);
    assert.equal(lang, 'sr-Cyrl');
    assert.deepEqual(Object.assign({}, ...layers), { live: 'уживо', play: 'pusti' });
    assert.equal(resolveLanguage(['sr-Cyrl-ME']).lang, 'sr-Cyrl-ME');
  });

  it('prefers newer messages to older ones, and keeps the rest', () => {
    registerMessages('eo', { live: 'viva', play: 'ludi' });
    registerMessages('eo', { live: 'rekta' });
    assert.deepEqual(resolveLanguage(['eo']).layers, [{ live: 'rekta', play: 'ludi' }]);
  });

  it('knows regional messages of a page for English', () => {
    registerMessages('en-GB', { live: 'Right now' });
    assert.deepEqual(resolveLanguage(['en-GB']), { lang: 'en-GB', numbers: 'en-GB', layers: [{ live: 'Right now' }] });
    assert.deepEqual(resolveLanguage(['en-US']).layers, []);
  });

  it('returns a language for any text in an attribute', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (tag) => typeof resolveLanguage([tag]).lang === 'string'));
  });

  it('does not register an invalid language tag', () => {
    assert.throws(() => registerMessages('no language', {}), RangeError);
  });
});
