import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ResumeCheck } from '../../server/admission/resume-tokens.js';
import { refusalNotice, stopNotice } from '../../server/sessions/stop-notice.js';
import { ruleRefusalCode } from '../../src/wire/director/refusal-code.js';
import { codeIn, tableUnder } from '../support/markdown-table.js';
import { childOf, childrenOf, nameOf, sourceFiles, type SyntaxNode } from '../support/syntax-tree.js';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = 'docs/events.md';
const HEADING = 'Close codes';
const INDEX = 'docs/errors/README.md';
const SOURCES = ['server/sessions', 'server/signalling'];
/** A refused grant closes an unauthenticated websocket with its own code. The compiler keeps this list complete. */
const GRANT_CODES: Readonly<Record<Extract<ResumeCheck, { ok: false }>['code'], true>> = {
  grant_invalid: true,
  grant_expired: true,
  grant_spent: true,
};

/** A close code of the source, with its reasons. */
interface Closing {
  readonly place: string;
  readonly code: number;
  readonly words: readonly string[];
  /** Reasons that the page may name as examples. */
  readonly examples?: readonly string[];
}

const notices = Object.entries(stopNotice).map(([word, { closeCode }]): Closing => ({
  place: 'server/sessions/stop-notice.ts',
  code: closeCode,
  words: [word],
}));
/** A session that a rule refuses is closed with the code of the rule. The page may name some as examples. */
const refusal: Closing = {
  place: 'server/sessions/stop-notice.ts',
  code: refusalNotice('token_expired').closeCode,
  words: [],
  examples: ruleRefusalCode.options,
};
const unreadable: string[] = [];
const written: Closing[] = [];

for (const file of SOURCES.flatMap((folder) => sourceFiles(ROOT, folder))) {
  for (const node of file.nodes) {
    const [code, word] = closeArguments(node);
    if (!code) continue;
    const place = file.place(node);
    // One of the notices above.
    if (nameOf(code) === 'closeCode' || nameOf(code['property']) === 'closeCode') continue;
    const number = code['value'];
    const words = wordsOf(word, file.texts(word));
    if (typeof number === 'number' && words) written.push({ place, code: number, words });
    else unreadable.push(place);
  }
}

/** The arguments of a call to a method `close`; empty for any other node. */
function closeArguments(node: SyntaxNode): readonly SyntaxNode[] {
  const callee = node.type === 'CallExpression' ? childOf(node, 'callee') : undefined;
  return callee && nameOf(callee['property']) === 'close' ? childrenOf(node, 'arguments') : [];
}

/** The reasons of a close. `check.code` is one of the codes of a grant. */
function wordsOf(node: SyntaxNode | undefined, texts: readonly string[] | undefined): readonly string[] | undefined {
  if (!node) return [];
  const isGrantCode = nameOf(node['object']) === 'check' && nameOf(node['property']) === 'code';
  return isGrantCode ? Object.keys(GRANT_CODES) : texts;
}

const closings = [...notices, refusal, ...written];
const rows = tableUnder(readFileSync(join(ROOT, PAGE), 'utf8'), HEADING).map(([code, words]) => ({
  code: Number(code),
  words: codeIn(words!),
}));

describe(`the close codes in ${PAGE}`, () => {
  it('are literals in the source', () => {
    const rule = 'close a websocket with a number and a word, or with a notice of stop-notice.ts';
    assert.equal(unreadable.length, 0, `${rule}: ${unreadable.join(', ')}`);
  });

  for (const { place, code, words } of closings) {
    it(`include ${code}, with ${words.join(', ') || 'no reason of its own'} (${place})`, () => {
      const row = rows.find((one) => one.code === code);
      assert.ok(row, `${PAGE} has no row for ${code} (${words.join(', ')}) below "${HEADING}"`);
      for (const word of words) assert.ok(row.words.includes(word), `the row of ${code} does not name \`${word}\``);
    });
  }

  it('are all used in the source, with no other reasons', () => {
    for (const { code, words } of rows) {
      const given = closings.filter((closing) => closing.code === code);
      assert.ok(given.length > 0, `${PAGE} explains the close code ${code}, which the server does not use`);
      for (const word of words) {
        const isGiven = given.some((one) => one.words.includes(word) || one.examples?.includes(word));
        assert.ok(isGiven, `nothing closes with ${code} and \`${word}\``);
      }
    }
  });

  it('are in one row each', () => {
    assert.equal(new Set(rows.map(({ code }) => code)).size, rows.length);
  });

  it(`are the ones of ${INDEX}`, () => {
    const index = tableUnder(readFileSync(join(ROOT, INDEX), 'utf8'), 'Why the server ended a session');
    const shown = new Set(index.map(([word, code]) => `${/^\[(\w+)\]/.exec(word!)?.[1]} ${code}`));
    const given = new Set(notices.map(({ words: [word], code }) => `${word} ${code}`));
    for (const one of given) assert.ok(shown.has(one), `${INDEX} does not say ${one}`);
    for (const one of shown) assert.ok(given.has(one), `${INDEX} says ${one}, which the server does not use`);
  });

  it('are found in the source', () => {
    const known = new Set(written.map(({ code, words }) => `${code} ${words.join()}`));
    for (const one of ['1008 too_many_commands', '1008 grant_missing', '1000 ']) assert.ok(known.has(one), one);
  });
});
