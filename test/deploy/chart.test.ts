import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { parseAllDocuments } from 'yaml';
import { variableNames } from '../../server/config/environment-schema.js';
import { endpoints } from '../../server/http/endpoints/endpoints.js';
import { readText, readYaml } from '../support/deploy.js';

const HOME = 'deploy/helm/streamgate';
const names = readdirSync(join(import.meta.dirname, '../..', HOME, 'templates')).filter((file) =>
  file.endsWith('.yaml'),
);
const templates = names.map((file) => ({ file, text: readText(`${HOME}/templates/${file}`) }));
const everything = templates.map(({ text }) => text).join('\n');

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}
const schema = JSON.parse(readText(`${HOME}/values.schema.json`)) as Schema;
const values = readYaml<Record<string, unknown>>(`${HOME}/values.yaml`);
const isValid = new Ajv().compile<unknown>(schema);

/** A line with nothing but an action has no output of its own; any other action stands for one word. */
const withoutActions = (text: string): string =>
  text.replaceAll(/^\s*\{\{-? .*? -?\}\}\n/gm, '').replaceAll(/"\{\{[^}]*\}\}[^"]*"|\{\{.*?\}\}/g, 'word');

/** Each `.Values.a.b` of the templates. */
const used = new Set([...everything.matchAll(/\.Values((?:\.\w+)+)/g)].map(([, path]) => path!.slice(1)));
/** Each value of `values.yaml` that is no object, or one whose keys are free. */
function* leaves(of: Record<string, unknown>, from: Schema, path: readonly string[] = []): Generator<string> {
  for (const [key, value] of Object.entries(of)) {
    const inner = from.properties?.[key];
    if (inner?.properties) yield* leaves(value as Record<string, unknown>, inner, [...path, key]);
    else yield [...path, key].join('.');
  }
}

const addresses: ReadonlySet<string> = new Set(endpoints.map(({ path }) => path));

describe(`the templates of ${HOME}`, () => {
  for (const { file, text } of templates) {
    it(`${file} is YAML around its actions`, () => {
      const documents = parseAllDocuments(withoutActions(text), { strict: true }) as Iterable<{
        readonly errors: readonly Error[];
        toJS(): { readonly kind?: string } | null;
      }>;
      const kinds = [...documents].map((document) => {
        assert.deepEqual(document.errors, []);
        return document.toJS()?.kind;
      });
      assert.ok(kinds.some((kind) => kind !== undefined));
    });

    it(`${file} ends each block that it begins`, () => {
      const count = (what: RegExp): number => [...text.matchAll(what)].length;
      assert.equal(count(/\{\{-? (?:if|range|with|define) /g), count(/\{\{-? end /g));
    });
  }

  it('use each value of values.yaml, and no other', () => {
    const leavesOf = [...leaves(values, schema)];
    assert.ok(leavesOf.length > 15);
    assert.deepEqual(leavesOf.toSorted(), [...used].toSorted());
  });

  it('set variables that the server reads', () => {
    const set = [...everything.matchAll(/- name: ([A-Z][A-Z_]+)$/gm)].map(([, name]) => name!);
    assert.ok(set.length > 8);
    for (const name of set) assert.ok(variableNames.includes(name), `the server does not read ${name}`);
  });

  it('take every secret from the Secret that the operator creates', () => {
    for (const name of ['DATABASE_URL', 'ENCRYPTION_KEY', 'METRICS_TOKEN', 'TURN_SECRET']) {
      const source = new RegExp(
        `- name: ${name}\\n\\s+valueFrom: \\{ secretKeyRef: \\{ .*existingSecret.*key: ${name} `,
      );
      assert.match(everything, source);
    }
  });

  it('ask addresses that the server answers', () => {
    const asked = [...everything.matchAll(/httpGet: \{ path: (\S+), port: http \}/g)].map(([, path]) => path!);
    assert.equal(asked.length, 3);
    for (const path of [...asked, '/metrics']) assert.ok(addresses.has(path), path);
  });

  it('end a server that hangs, and never because the database is away', () => {
    const [path, timeout] = /livenessProbe:\n\s+httpGet: \{ path: (\S+),[^]*?timeoutSeconds: (\d+)/
      .exec(everything)!
      .slice(1);
    assert.equal(path, '/livez');
    assert.ok(Number(timeout) > 0);
  });
});

describe(`the schema of the values of ${HOME}`, () => {
  it('accepts values.yaml', () => {
    isValid(values);
    assert.deepEqual(isValid.errors, null);
  });

  for (const [what, change] of [
    ['an unknown value', { replicas: 3 }],
    ['no server', { nodes: [] }],
    ['a name that cannot be in an address', { nodes: [{ name: 'One_' }] }],
    ['a port that needs root', { http: { port: 443, trustedProxies: [] } }],
    ['more media processes than the server permits', { media: { workers: 65, port: 40_000 } }],
  ] as const) {
    it(`refuses ${what}`, () => assert.equal(isValid({ ...values, ...change }), false));
  }
});

it(`the chart ${HOME} is of the version of the packages`, () => {
  const { appVersion } = readYaml<{ readonly appVersion: string }>(`${HOME}/Chart.yaml`);
  assert.equal(appVersion, JSON.parse(readText('package.json')).version);
});
