import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parser } from '@prometheus-io/lezer-promql';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { readText, readYaml } from '../support/deploy.js';
import { codeIn, tableUnder } from '../support/markdown-table.js';
import { allMetrics } from '../support/metrics.js';

const ALERTS = 'deploy/prometheus/alerts.yml';
const DASHBOARD = 'deploy/grafana/dashboards/streamgate.json';
const PROMETHEUS = 'deploy/prometheus/prometheus.yml';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}
interface Panel {
  readonly title: string;
  readonly type: string;
  readonly datasource?: { readonly uid: string };
  readonly targets?: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[];
}

const { groups } = readYaml<{ readonly groups: readonly { readonly rules: readonly Alert[] }[] }>(ALERTS);
const alerts = groups.flatMap(({ rules }) => rules);
const dashboard = JSON.parse(readText(DASHBOARD)) as {
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly panels: readonly Panel[];
};
const panels = dashboard.panels.filter(({ type }) => type !== 'row');

/** test/docs/metrics.test.ts compares this table with the code. */
const ours = tableUnder(readText('docs/reference/metrics.md'), 'Metrics').map(([name, labels]) => ({
  name: codeIn(name!).join(),
  labels: codeIn(labels!),
}));
const registry = new Registry();
collectDefaultMetrics({ register: registry });
const defaults = registry.getMetricsAsArray().map(({ name }) => name);
const histograms = allMetrics()
  .getMetricsAsArray()
  .flatMap((metric) => (metric instanceof Histogram ? metric.name : []));
/** A histogram has three series, of which the first also has the label `le`. */
const series = histograms.flatMap((name) => ['_bucket', '_sum', '_count'].map((suffix) => `${name}${suffix}`));
/** Prometheus makes `up` itself. */
const known = new Set(['up', ...defaults, ...series, ...ours.map(({ name }) => name)]);
const metricOf = (name: string) => (series.includes(name) ? name.replace(/_[a-z]+$/, '') : name);
/** Prometheus adds these to every metric of a target. */
const ADDED = ['job', 'instance'];

/** Parts of an expression by the names of the grammar. Grafana fills in `$__rate_interval` and `$instance` first. */
function partsOf(expression: string): { readonly metrics: string[]; readonly labels: string[] } {
  const text = expression.replaceAll('$__rate_interval', '5m').replaceAll('$instance', 'one');
  const metrics: string[] = [];
  const labels: string[] = [];
  parser.parse(text).iterate({
    enter(node) {
      const part = text.slice(node.from, node.to);
      assert.equal(node.type.isError, false, `no PromQL at character ${node.from}: ${text}`);
      if (node.name === 'Identifier') metrics.push(part);
      if (node.name === 'LabelName') labels.push(part);
    },
  });
  return { metrics, labels };
}

function check(expression: string): void {
  const { metrics, labels } = partsOf(expression);
  assert.ok(metrics.length > 0, expression);
  const permitted = new Set(ADDED);
  for (const name of metrics) {
    assert.ok(known.has(name), `the server has no metric ${name}`);
    for (const label of ours.find((one) => one.name === metricOf(name))?.labels ?? []) permitted.add(label);
    if (name.endsWith('_bucket')) permitted.add('le');
  }
  for (const label of labels) assert.ok(permitted.has(label), `no metric in it has the label ${label}: ${expression}`);
}

describe(`the alerts in ${ALERTS}`, () => {
  it('are several, each with its own name', () => {
    assert.ok(alerts.length > 5);
    assert.equal(new Set(alerts.map(({ alert }) => alert)).size, alerts.length);
  });

  for (const { alert, expr, labels, annotations } of alerts) {
    it(`${alert} asks for metrics and labels that the server has`, () => check(expr));

    it(`${alert} says how bad it is, where, and what to do`, () => {
      assert.match(labels.severity, /^(warning|critical)$/);
      assert.match(annotations.summary, /\{\{ \$labels\.instance \}\}/);
      assert.ok(annotations.description.length > 20);
    });
  }

  it('are read by Prometheus, which asks the nodes at an address that they answer', () => {
    const config = readYaml<{
      readonly rule_files: readonly string[];
      readonly scrape_configs: readonly { readonly job_name: string; readonly metrics_path: string }[];
    }>(PROMETHEUS);
    assert.deepEqual(config.rule_files, [ALERTS.split('/').at(-1)]);
    assert.deepEqual(
      config.scrape_configs.map(({ job_name, metrics_path }) => [job_name, metrics_path]),
      [['streamgate', '/metrics']],
    );
    for (const { alert, expr } of alerts) assert.ok(expr.includes('{job="streamgate"'), alert);
  });
});

describe(`the dashboard ${DASHBOARD}`, () => {
  for (const { title, targets = [] } of panels) {
    it(`"${title}" asks for metrics and labels that the server has`, () => {
      assert.ok(targets.length > 0);
      for (const { expr } of targets) check(expr);
    });
  }

  it('asks the data source that people select', () => {
    const variable = dashboard.templating.list.find(({ type }) => type === 'datasource');
    assert.equal(variable?.name, 'datasource');
    for (const { datasource, targets = [] } of panels) {
      for (const { uid } of [datasource!, ...targets.map((target) => target.datasource)]) {
        assert.equal(uid, '${datasource}');
      }
    }
  });

  it('shows each metric of the table', () => {
    const shown = new Set(
      panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => partsOf(expr).metrics.map(metricOf))),
    );
    const missing = ours.map(({ name }) => name).filter((name) => !shown.has(name));
    // Publishers and viewers are shown as sessions.
    assert.deepEqual(missing, ['streamgate_media_publishers', 'streamgate_media_viewers']);
  });
});
