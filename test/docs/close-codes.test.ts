import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { RedemptionResult } from '../../server/sessions/grant-redemption.js';
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
const GRANT_CODES: Readonly<Record<Extract<RedemptionResult, { ok: false }>['code'], true>> = {
  grant_invalid: true,
  grant_expired: true,
  grant_spent: true,
  wrong_node: true,
};

/** A close code in the source, with its reasons. */
interface Closing {
  readonly location: string;
  readonly code: number;
  readonly reasons: readonly string[];
  /** Reasons that the page may name as examples. */
  readonly examples?: readonly string[];
}

const notices = Object.entries(stopNotice).map(([reason, { closeCode }]): Closing => ({
  location: 'server/sessions/stop-notice.ts',
  code: closeCode,
  reasons: [reason],
}));
/** A session that a rule refuses is closed with the code of the rule. The page may name some as examples. */
const refusal: Closing = {
  location: 'server/sessions/stop-notice.ts',
  code: refusalNotice('token_expired').closeCode,
  reasons: [],
  examples: ruleRefusalCode.options,
};
const unreadable: string[] = [];
const written: Closing[] = [];

for (const file of SOURCES.flatMap((folder) => sourceFiles(ROOT, folder, /\bclose\(/))) {
  for (const node of file.nodes) {
    const [code, reason] = closeArguments(node);
    if (!code) continue;
    const location = file.location(node);
    // One of the notices above.
    if (nameOf(code) === 'closeCode' || nameOf(code['property']) === 'closeCode') continue;
    const number = code['value'];
    const reasons = reasonsOf(reason, file.texts(reason));
    if (typeof number === 'number' && reasons) written.push({ location, code: number, reasons });
    else unreadable.push(location);
  }
}

/** The arguments of a call to a method `close`; empty for any other node. */
function closeArguments(node: SyntaxNode): readonly SyntaxNode[] {
  const callee = node.type === 'CallExpression' ? childOf(node, 'callee') : undefined;
  return callee && nameOf(callee['property']) === 'close' ? childrenOf(node, 'arguments') : [];
}

/** The reasons of a close. `check.code` is one of the codes of a grant. */
function reasonsOf(node: SyntaxNode | undefined, texts: readonly string[] | undefined): readonly string[] | undefined {
  if (!node) return [];
  const isGrantCode = nameOf(node['object']) === 'check' && nameOf(node['property']) === 'code';
  return isGrantCode ? Object.keys(GRANT_CODES) : texts;
}

const closings = [...notices, refusal, ...written];
const rows = tableUnder(readFileSync(join(ROOT, PAGE), 'utf8'), HEADING).map(([code, reasons]) => ({
  code: Number(code),
  reasons: codeIn(reasons!),
}));

describe(`the close codes in ${PAGE}`, () => {
  it('are literals in the source', () => {
    const rule = 'close a websocket with a number and a literal reason, or with a notice of stop-notice.ts';
    assert.equal(unreadable.length, 0, `${rule}: ${unreadable.join(', ')}`);
  });

  for (const { location, code, reasons } of closings) {
    it(`include ${code}, with ${reasons.join(', ') || 'no reason'} (${location})`, () => {
      const row = rows.find((one) => one.code === code);
      assert.ok(row, `${PAGE} has no row for ${code} (${reasons.join(', ')}) below "${HEADING}"`);
      for (const reason of reasons)
        assert.ok(row.reasons.includes(reason), `the row of ${code} does not name \`${reason}\``);
    });
  }

  it('are all used in the source, with no other reasons', () => {
    for (const { code, reasons } of rows) {
      const given = closings.filter((closing) => closing.code === code);
      assert.ok(given.length > 0, `${PAGE} explains the close code ${code}, which the server does not use`);
      for (const reason of reasons) {
        const isGiven = given.some((one) => one.reasons.includes(reason) || one.examples?.includes(reason));
        assert.ok(isGiven, `nothing closes with ${code} and \`${reason}\``);
      }
    }
  });

  it('are in one row each', () => {
    assert.equal(new Set(rows.map(({ code }) => code)).size, rows.length);
  });

  it(`are the ones of ${INDEX}`, () => {
    const index = tableUnder(readFileSync(join(ROOT, INDEX), 'utf8'), 'Why the server ended a session');
    const shown = new Set(index.map(([reason, code]) => `${/^\[(\w+)\]/.exec(reason!)?.[1]} ${code}`));
    const given = new Set(notices.map(({ reasons: [reason], code }) => `${reason} ${code}`));
    for (const one of given) assert.ok(shown.has(one), `${INDEX} does not say ${one}`);
    for (const one of shown) assert.ok(given.has(one), `${INDEX} says ${one}, which the server does not use`);
  });

  it('are found in the source', () => {
    const known = new Set(written.map(({ code, reasons }) => `${code} ${reasons.join()}`));
    for (const one of ['1008 too_many_commands', '1008 grant_missing', '1000 ']) assert.ok(known.has(one), one);
  });
});
