import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { codeIn, tableUnder } from '../support/markdown-table.js';
import { childOf, childrenOf, nameOf, propertyOf, sourceFiles, type SyntaxNode } from '../support/syntax-tree.js';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = 'docs/reference/log-messages.md';
const HEADING = 'Log messages';
const LEVELS: ReadonlySet<string | undefined> = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);
/** A field of every entry of a media process. The page names it once. */
const IN_EACH_ENTRY = 'worker';

/** One call in the source that writes into the log. */
interface LogCall {
  readonly location: string;
  readonly level: string;
  /** Undefined: the test cannot read it. */
  readonly messages: readonly string[] | undefined;
  readonly fields: readonly string[] | undefined;
}

const calls: readonly LogCall[] = sourceFiles(ROOT, 'server', /log|level:/i).flatMap((file) =>
  file.nodes.flatMap((node): LogCall[] => {
    const level = levelOfCall(node) ?? levelOfEntry(node, file.path);
    if (level === undefined) return [];
    const [first, second] = childrenOf(node, 'arguments');
    const isEntry = node.type === 'ObjectExpression';
    const message = isEntry ? propertyOf(node, 'message') : (second ?? first);
    const fields = isEntry ? file.keys(node) : second ? file.keys(first) : [];
    const isField = (field: string) => !isEntry || !['level', 'message', IN_EACH_ENTRY].includes(field);
    return [{ location: file.location(node), level, messages: file.texts(message), fields: fields?.filter(isField) }];
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

/** `{ level: 'warn', message: '…' }`: an entry that a media process sends to the server's log. */
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

const code = (text: string): string => `\`${text}\``;

describe(`the log messages in ${PAGE}`, () => {
  for (const { location, level, messages, fields } of calls) {
    it(`${location} logs with a message and fields that can be read in the source`, () => {
      assert.ok(
        messages,
        `${location}: write the message as a text, and variable values as fields of the first argument`,
      );
      assert.ok(
        fields,
        `${location}: write the fields of "${messages.join()}" as an object, there or in the same file`,
      );
    });

    for (const message of messages ?? []) {
      it(`${location} logs "${message}", as the page says`, () => {
        const row = rows.find((one) => one.message === message);
        const wanted = `| ${code(message)} | ${level} | ${fields?.map(code).join(', ')} | what happened; what to do |`;
        assert.ok(row, `${PAGE} has no row for this message below "${HEADING}". Add:\n${wanted}`);
        assert.equal(row.level, level, `the level in ${PAGE} is "${row.level}". It should be:\n${wanted}`);
        const isWhole = row.fields.toSorted().join() === fields?.toSorted().join();
        assert.ok(isWhole, `the fields in ${PAGE} are ${row.fields.join(', ')}. It should be:\n${wanted}`);
      });
    }
  }

  it('are all in the source', () => {
    const known = new Set(calls.flatMap(({ messages = [] }) => messages));
    for (const { message } of rows) assert.ok(known.has(message), `${PAGE} explains "${message}", which nothing logs`);
  });

  it('include messages of each part of the server', () => {
    const messages = new Set(calls.flatMap(({ messages: some = [] }) => some));
    for (const known of ['session opened', 'a request failed', 'the media engine is running']) {
      assert.ok(messages.has(known), `nothing was found that logs "${known}"`);
    }
  });
});
