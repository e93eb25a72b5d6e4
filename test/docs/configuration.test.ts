import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ConfigError } from '../../server/config/config-error.js';
import { readConfig } from '../../server/config/config.js';
import { environmentSchema } from '../../server/config/environment-schema.js';
import { codeIn, tableUnder } from '../support/markdown-table.js';
import { childOf, nameOf, sourceFiles } from '../support/syntax-tree.js';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const PAGE = 'docs/reference/configuration.md';
const EXAMPLE = '.env.example';

/** Variables whose default is computed, so that there is no single value to compare. */
const COMPUTED: ReadonlySet<string> = new Set(['MEDIA_WORKERS']);

const rows = new Map(
  tableUnder(read(PAGE), 'Configuration').map(([variable, initial, meaning]) => [
    codeIn(variable!).join(),
    { initial: initial!, meaning: meaning! },
  ]),
);

/** Each `#NAME=value` of the example, with the comment above it. */
const examples = new Map(
  read(EXAMPLE)
    .split('\n\n')
    .flatMap((paragraph) =>
      [...paragraph.matchAll(/^#([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(
        ([, name, value]) => [name!, { value: value!, comment: paragraph.replaceAll(/\n# /g, ' ') }] as const,
      ),
    ),
);

/** The default as a variable would be set to it. Undefined: none, an empty list, or computed. */
function defaultOf(variable: string, schema: unknown): string | undefined {
  if (COMPUTED.has(variable)) return undefined;
  const { def } = schema as { def: { type: string; defaultValue?: unknown } };
  if (def.type !== 'default') return undefined;
  return Array.isArray(def.defaultValue) ? undefined : String(def.defaultValue);
}

/** The limits of a number or length, such as `300` and `86400`, read from the message about a wrong value. */
function limitsOf(variable: string): string[] {
  try {
    readConfig({ [variable]: '?' });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const fault = error.faults.find((text) => text.startsWith(`${variable}:`)) ?? '';
    const limits = /(\d+) to (\d+)|(\d+) characters|(\d+) bytes, as (\d+)/.exec(fault.split(', not ')[0]!) ?? [];
    return limits.slice(1).filter((limit) => limit !== undefined);
  }
  return [];
}

describe('the configuration', () => {
  for (const [variable, schema] of Object.entries(environmentSchema.shape)) {
    const initial = defaultOf(variable, schema);
    const limits = limitsOf(variable);
    const unit = variable.endsWith('_S') ? 'seconds' : '';

    it(`has ${variable} in ${PAGE}, with its default, unit and limits`, () => {
      const row = rows.get(variable);
      assert.ok(row, `${PAGE} has no row for ${variable} below "Configuration"`);
      if (initial) assert.equal(row.initial, `\`${initial}\``, `the default of ${variable} in ${PAGE}`);
      else assert.notEqual(row.initial, '', `${PAGE} has no default for ${variable}`);
      assert.ok(row.meaning.includes(unit), `${PAGE} does not say that ${variable} is in ${unit}`);
      for (const limit of limits) {
        assert.match(
          row.meaning,
          new RegExp(`\\b${limit}\\b`),
          `${PAGE} does not say the limit ${limit} of ${variable}`,
        );
      }
    });

    it(`has ${variable} in ${EXAMPLE}, with its default or an example, unit and limits`, () => {
      const example = examples.get(variable);
      assert.ok(example, `${EXAMPLE} has no line #${variable}=…`);
      if (initial) assert.equal(example.value, initial, `${EXAMPLE} shows another default of ${variable}`);
      assert.ok(example.comment.includes(unit), `${EXAMPLE} does not say that ${variable} is in ${unit}`);
      for (const limit of limits) {
        const says = new RegExp(`\\b${limit}\\b`).test(example.comment);
        assert.ok(says, `${EXAMPLE} does not say the limit ${limit} of ${variable}`);
      }
    });
  }

  it(`has no variable in ${PAGE} or ${EXAMPLE} that nothing reads`, () => {
    const known = new Set(Object.keys(environmentSchema.shape));
    for (const name of rows.keys()) assert.ok(known.has(name), `${PAGE} explains ${name}, which nothing reads`);
    for (const name of examples.keys()) assert.ok(known.has(name), `${EXAMPLE} has ${name}, which nothing reads`);
  });

  it(`accepts the values of ${EXAMPLE}`, () => {
    const shown = [...examples].flatMap(([name, { value }]) => (value === '' ? [] : [[name, value]]));
    readConfig({ ...Object.fromEntries(shown), TURN_SECRET: 'sixteen letters!' });
  });

  it(`has every variable that the code reads by its name in ${PAGE}`, () => {
    const names = sourceFiles(ROOT, 'server', /\benv\b/).flatMap((file) =>
      file.nodes.flatMap((node) => {
        const object = node.type === 'MemberExpression' ? childOf(node, 'object') : undefined;
        const isEnvironment = nameOf(object) === 'env' || nameOf(object?.['property']) === 'env';
        const name = nameOf(node['property']);
        return isEnvironment && name && /^[A-Z_]+$/.test(name) ? [name] : [];
      }),
    );
    assert.ok(names.includes('STREAMGATE_SECRET'), 'the code reads it');
    const text = read(PAGE);
    for (const name of names) assert.ok(text.includes(`\`${name}\``), `${PAGE} does not name ${name}`);
  });
});
