import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { codeIn, tableUnder } from '../support/markdown-table.js';
import { allMetrics } from '../support/metrics.js';

const PAGE = 'docs/reference/metrics.md';
const rows = tableUnder(readFileSync(join(import.meta.dirname, '../..', PAGE), 'utf8'), 'Metrics').map(
  ([name, labels]) => ({ name: codeIn(name!).join(), labels: codeIn(labels!) }),
);
const metrics = allMetrics().getMetricsAsArray();

describe(`the metrics in ${PAGE}`, () => {
  for (const metric of metrics) {
    it(`name ${metric.name} and its labels`, () => {
      const row = rows.find(({ name }) => name === metric.name);
      const labels = 'labelNames' in metric ? (metric.labelNames as readonly string[]) : [];
      const wanted = `| \`${metric.name}\` | ${labels.map((label) => `\`${label}\``).join(', ')} | ${metric.help} |`;
      assert.ok(row, `${PAGE} has no row for this metric below "Metrics". Add:\n${wanted}`);
      assert.deepEqual(row.labels, labels, wanted);
    });
  }

  it('are all in the source', () => {
    const known = new Set(metrics.map(({ name }) => name));
    for (const { name } of rows) assert.ok(known.has(name), `${PAGE} names ${name}, which no part has`);
  });
});
