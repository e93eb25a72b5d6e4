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
/** Every log entry of a media process has this field. The page describes it once. */
const COMMON_FIELD = 'worker';

/** One call in the source that writes to the log. */
interface LogCall {
  readonly location: string;
  readonly level: string;
  /** Undefined if the test cannot read them from the source. */
  readonly messages: readonly string[] | undefined;
  readonly fields: readonly string[] | undefined;
}

const calls: readonly LogCall[] = sourceFiles(ROOT, 'server').flatMap((file) =>
  file.nodes.flatMap((node): LogCall[] => {
    const level = levelOfCall(node) ?? levelOfEntry(node, file.path);
    if (level === undefined) return [];
    const [first, second] = childrenOf(node, 'arguments');
    const isEntry = node.type === 'ObjectExpression';
    const message = isEntry ? propertyOf(node, 'message') : (second ?? first);
    const fields = isEntry ? file.keys(node) : second ? file.keys(first) : [];
    const isField = (field: string) => !isEntry || !['level', 'message', COMMON_FIELD].includes(field);
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

const code = (name: string): string => `\`${name}\``;

describe(`the log messages in ${PAGE}`, () => {
  for (const { location, level, messages, fields } of calls) {
    it(`${location} logs with a message and fields that can be read in the source`, () => {
      assert.ok(
        messages,
        `${location}: write the message as a literal, and variable parts as fields of the first argument`,
      );
      assert.ok(
        fields,
        `${location}: write the fields of "${messages.join()}" as an object, there or in the same file`,
      );
    });

    for (const message of messages ?? []) {
      it(`${location} logs "${message}", with the level and the fields of the page`, () => {
        const row = rows.find((candidate) => candidate.message === message);
        const expected = `| ${code(message)} | ${level} | ${fields?.map(code).join(', ')} | what happened; what to do |`;
        assert.ok(row, `${PAGE} has no row for this message below "${HEADING}". Add:\n${expected}`);
        assert.equal(row.level, level, `the level in ${PAGE} is "${row.level}". It should be:\n${expected}`);
        const hasAllFields = row.fields.toSorted().join() === fields?.toSorted().join();
        assert.ok(hasAllFields, `the fields in ${PAGE} are ${row.fields.join(', ')}. It should be:\n${expected}`);
      });
    }
  }

  it('are all logged by the source', () => {
    const known = new Set(calls.flatMap(({ messages = [] }) => messages));
    for (const { message } of rows) assert.ok(known.has(message), `${PAGE} explains "${message}", which nothing logs`);
  });

  it('are found in the source', () => {
    const messages = new Set(calls.flatMap(({ messages: texts = [] }) => texts));
    for (const known of ['session opened', 'a request failed', 'the media engine is running']) {
      assert.ok(messages.has(known), `nothing was found that logs "${known}"`);
    }
  });
});
