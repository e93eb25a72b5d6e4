import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { codeIn, tableUnder } from '../support/markdown-table.js';
import { childOf, childrenOf, nameOf, propertyOf, sourceFiles, type SyntaxNode } from '../support/syntax-tree.js';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = 'docs/operating.md';
const HEADING = 'Log messages';
const LEVELS: ReadonlySet<string | undefined> = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);
/** Every entry of a media process has it; the page says so once. */
const EVERYWHERE = 'worker';

/** One place in the code that writes into the log. */
interface LogLine {
  readonly place: string;
  readonly level: string;
  /** Undefined where the test cannot read it. */
  readonly messages: readonly string[] | undefined;
  readonly fields: readonly string[] | undefined;
}

const lines: readonly LogLine[] = sourceFiles(ROOT, 'server').flatMap((file) =>
  file.nodes.flatMap((node): LogLine[] => {
    const level = levelOfCall(node) ?? levelOfEntry(node, file.path);
    if (level === undefined) return [];
    const [first, second] = childrenOf(node, 'arguments');
    const isEntry = node.type === 'ObjectExpression';
    const message = isEntry ? propertyOf(node, 'message') : (second ?? first);
    const fields = isEntry ? file.keys(node) : second ? file.keys(first) : [];
    const isField = (field: string) => !isEntry || !['level', 'message', EVERYWHERE].includes(field);
    return [{ place: file.place(node), level, messages: file.texts(message), fields: fields?.filter(isField) }];
  }),
);

/** `log.info(…)`, `this.#log.warn(…)`: the level. */
function levelOfCall(node: SyntaxNode): string | undefined {
  const callee = node.type === 'CallExpression' ? childOf(node, 'callee') : undefined;
  if (callee?.type !== 'MemberExpression' || callee['computed'] === true) return undefined;
  const logger = childOf(callee, 'object');
  const name = nameOf(logger) ?? (logger && nameOf(logger['property'])) ?? '';
  const level = nameOf(callee['property']);
  return /log(?:ger)?$/i.test(name) && LEVELS.has(level) ? level : undefined;
}

/** `{ level: 'warn', message: '…' }`: what a media process asks the server to log. */
function levelOfEntry(node: SyntaxNode, path: string): string | undefined {
  if (node.type !== 'ObjectExpression' || !path.startsWith('server/media/')) return undefined;
  const level = nameOf(propertyOf(node, 'level'));
  return LEVELS.has(level) ? level : undefined;
}

const rows = tableUnder(readFileSync(join(ROOT, PAGE), 'utf8'), HEADING).map(([message, level, fields]) => ({
  message: codeIn(message!).join(),
  level: level!,
  fields: codeIn(fields!),
}));

const code = (word: string): string => `\`${word}\``;

describe(`the log messages in ${PAGE}`, () => {
  for (const { place, level, messages, fields } of lines) {
    it(`${place} logs with a message and fields that can be read in the source`, () => {
      assert.ok(messages, `${place}: write the message as a text, and what varies as a field of the first argument`);
      assert.ok(fields, `${place}: write the fields of "${messages.join()}" as an object, there or in the same file`);
    });

    for (const message of messages ?? []) {
      it(`${place} logs "${message}", as the page says`, () => {
        const row = rows.find((one) => one.message === message);
        const wanted = `| ${code(message)} | ${level} | ${fields?.map(code).join(', ')} | what happened; what to do |`;
        assert.ok(row, `${PAGE} has no row for this message below "${HEADING}". Add:\n${wanted}`);
        assert.equal(row.level, level, `the level in ${PAGE} is "${row.level}". It should be:\n${wanted}`);
        const isWhole = row.fields.toSorted().join() === fields?.toSorted().join();
        assert.ok(isWhole, `the fields in ${PAGE} are ${row.fields.join(', ')}. It should be:\n${wanted}`);
      });
    }
  }

  it('are all there in the code', () => {
    const known = new Set(lines.flatMap(({ messages = [] }) => messages));
    for (const { message } of rows) assert.ok(known.has(message), `${PAGE} explains "${message}", which nothing logs`);
  });

  it('were looked for in the right places', () => {
    const messages = new Set(lines.flatMap(({ messages: some = [] }) => some));
    for (const known of ['session opened', 'a request failed', 'the media engine is running']) {
      assert.ok(messages.has(known), `nothing was found that logs "${known}"`);
    }
  });
});
