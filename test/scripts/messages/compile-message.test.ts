import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { argumentsOf, compileMessage, MessageFault } from '../../../scripts/messages/compile-message.ts';

const compiled = (text: string, language = 'en', english = text): string =>
  compileMessage(text, language, argumentsOf(english));

/** The function that the compiled code is. */
const run = (text: string, language = 'en'): ((...values: (string | number)[]) => string) =>
  new Function(`return ${compiled(text, language).replace(' as Record<string, string>', '').replace(/!$/, '')}`)();

describe('a text in a catalogue', () => {
  it('without arguments becomes a string', () => {
    assert.equal(compiled('Log in'), "'Log in'");
    assert.equal(compiled("Don''t"), '"Don\'t"');
  });

  it('becomes a template of its arguments, and keeps what templates would read', () => {
    assert.equal(compiled('Page {page} of {pages}'), '(page, pages) => `Page ${page} of ${pages}`');
    assert.equal(run("`{name}` costs $5, \\, $'{x}'")('N'), '`N` costs $5, \\, ${x}');
  });

  it('has parameters in the order of the original, also where its own words have another order', () => {
    assert.equal(compiled('{b} vor {a}', 'de', '{a} before {b}'), '(a, b) => `${b} vor ${a}`');
  });

  it('writes marks of direction as escapes, because nobody sees them', () => {
    assert.equal(compiled('\u2066TOKEN\u2069', 'ar'), "'\\u2066TOKEN\\u2069'");
  });

  it('selects the plural form without Intl.PluralRules in languages that have only one and many', () => {
    const text = '{count, plural, one {# viewer} other {# viewers}}';
    assert.equal(
      compiled(text),
      '(count, shownCount) => (count === 1 ? `${shownCount} viewer` : `${shownCount} viewers`)',
    );
    assert.equal(run(text)(1, '1'), '1 viewer');
    assert.equal(run(text)(0, '0'), '0 viewers');
    assert.equal(run(text, 'fr')(0, '0'), '0 viewer');
    assert.equal(run('{count} 人', 'ja')('1,000'), '1,000 人');
  });

  it('selects the six plural forms of Arabic', () => {
    const text = '{n, plural, zero {z} one {o} two {t} few {f#} many {m#} other {x#}}';
    assert.deepEqual(
      [0, 1, 2, 3, 11, 100].map((count) => run(text, 'ar')(count, String(count))),
      ['z', 'o', 't', 'f3', 'm11', 'x100'],
    );
  });

  it('says an exact number in words', () => {
    const text = '{n, plural, =0 {nobody} one {# viewer} other {# viewers}}';
    assert.deepEqual(
      [0, 1, 2].map((count) => run(text)(count, String(count))),
      ['nobody', '1 viewer', '2 viewers'],
    );
  });

  it('selects by a word', () => {
    const text = '{kind, select, publish {Publish {name}} other {Watch {name}}}';
    assert.equal(run(text)('publish', 'N'), 'Publish N');
    assert.equal(run(text)('subscribe', 'N'), 'Watch N');
  });

  for (const [fault, text, language] of [
    ['without a plural form of its language', '{n, plural, one {#} other {#}}', 'ar'],
    ['with a plural form that its language does not have', '{n, plural, one {#} few {#} other {#}}', 'en'],
    ['without the general case of a selection', '{kind, select, a {A}}', 'en'],
    ['that formats a number itself', '{n, number}', 'en'],
    ['with an open brace', 'Hello {name', 'en'],
    ['with an ordinal', '{n, selectordinal, other {#}}', 'en'],
  ] as const) {
    it(`is refused ${fault}`, () => assert.throws(() => compiled(text, language), MessageFault));
  }

  it('is refused with an argument that code does not pass', () => {
    assert.throws(() => compiled('{adress}', 'de', '{address}'), /\{adress\} is no argument/);
    assert.throws(() => compiled('{n, plural, one {#} other {#}}', 'de', '{n}'), /no such argument/);
  });
});
