import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { watchProcess } from '#platform/observability/process-metrics.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { runTool } from './tools.ts';

const root = path.join(import.meta.dirname, '../../../..');
const read = (file: string): Promise<string> => readFile(path.join(root, file), 'utf8');

/** The labels that Prometheus adds itself. */
const addedLabels = ['instance', 'job', 'le'];

/** The labels of every series that the service exposes. */
const exposed = new Map<string, readonly string[]>();
const service = await forFile(startTestService());
watchProcess(service.context.metrics.registry, 'api');
for (const metric of service.context.metrics.registry.getMetricsAsArray()) {
  // The types of prom-client do not declare this property.
  const { labelNames } = metric as unknown as { labelNames: string[] };
  const suffixes = metric.type === ('histogram' as unknown) ? ['_bucket', '_sum', '_count'] : [''];
  for (const suffix of suffixes) exposed.set(`${metric.name}${suffix}`, labelNames);
}

/** Returns the metrics of the service, without those of the process and its runtime. */
const ownMetrics = () =>
  service.context.metrics.registry.getMetricsAsArray().filter(({ name }) => name.startsWith('roster_'));

/** Returns the series and labels in an expression that the service does not have. */
function unknownNames(expression: string): string[] {
  const unknown: string[] = [];
  for (const [, name, matchers = ''] of expression.matchAll(/\b(roster_\w+)(?:\{([^}]*)\})?/g)) {
    const labels = exposed.get(name!);
    if (labels === undefined) unknown.push(name!);
    for (const [, label] of matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)) {
      if (![...(labels ?? []), ...addedLabels].includes(label!)) unknown.push(`${name}{${label}}`);
    }
  }
  const all = new Set([...[...exposed.values()].flat(), ...addedLabels]);
  for (const [, group] of expression.matchAll(/\bby \(([^)]*)\)/g)) {
    for (const label of group!.split(',').map((one) => one.trim())) if (!all.has(label)) unknown.push(`by ${label}`);
  }
  return unknown;
}

/** Returns all labels of the series in an expression without aggregation. */
const allLabels = (expression: string): string[] => [
  ...addedLabels,
  ...[...expression.matchAll(/\broster_\w+/g)].flatMap(([name]) => exposed.get(name) ?? []),
];

test('the check of names finds unknown series and labels', () => {
  expect(
    unknownNames('sum by (operaton) (rate(roster_applied_items_total{outcom="failed"}[5m])) > roster_lag'),
  ).toEqual(['roster_applied_items_total{outcom}', 'roster_lag', 'by operaton']);
});

/**
 * Returns syntax errors of an expression: unmatched brackets and quotes, wrong ranges, and unknown
 * functions.
 */
function malformed(expression: string): string[] {
  const faults: string[] = [];
  const code = expression.replaceAll(/"[^"]*"/g, '""');
  if (code.replaceAll('""', '').includes('"')) faults.push('an unmatched quote');
  const open: string[] = [];
  for (const bracket of code.match(/[()[\]{}]/g) ?? []) {
    if ('([{'.includes(bracket)) open.push(bracket);
    else if (open.pop() !== { ')': '(', ']': '[', '}': '{' }[bracket]) faults.push(`${bracket} is unmatched`);
  }
  faults.push(...open.map((bracket) => `${bracket} is unmatched`));
  for (const [, range] of code.matchAll(/\[([^\]]*)\]/g)) if (!duration.test(range!)) faults.push(`[${range}]`);
  for (const [, name] of code.matchAll(/\b([a-z_]+) ?\(/g)) if (!functions.has(name!)) faults.push(`${name}()`);
  return faults;
}

const duration = /^\d+[smhd]$/;

/** Functions and operators that may stand before a bracket. */
const functions: ReadonlySet<string> = new Set(
  'and by histogram_quantile increase max min_over_time or rate sum vector'.split(' '),
);

test('the check of expressions finds syntax errors', () => {
  expect(malformed('sum(rate(x{a="("}[5m])) > 0.01 * max by (a) (y)')).toEqual([]);
  expect(malformed('sum(rates(x{a="b}[5min])')).toEqual(['an unmatched quote', '( is unmatched', '[5min]', 'rates()']);
});

describe('the Prometheus alerts', () => {
  interface Alert {
    readonly alert: string;
    readonly expr: string;
    readonly for?: string;
    readonly labels: { readonly severity: string };
    readonly annotations: { readonly summary: string; readonly runbook_url: string };
  }
  let alerts: readonly Alert[];
  beforeAll(async () => {
    const { groups } = parse(await read('deploy/prometheus/alerts.yml')) as { groups: { rules: Alert[] }[] };
    alerts = groups.flatMap(({ rules }) => rules);
  });

  test('have valid fields and expressions, and their texts use only labels of their expressions', () => {
    for (const alert of alerts) {
      const { for: patience = '0s', annotations, expr, labels, ...rest } = alert;
      expect(Object.keys(rest), alert.alert).toEqual(['alert']);
      expect(Object.keys(labels), alert.alert).toEqual(['severity']);
      expect(Object.keys(annotations), alert.alert).toEqual(['summary', 'runbook_url']);
      expect(patience, alert.alert).toMatch(duration);
      expect([alert.alert, malformed(expr)]).toEqual([alert.alert, []]);
      const kept = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, group]) => group!.split(', '));
      const isAggregated = /\b(sum|max)\b/.test(expr);
      for (const [, label] of annotations.summary.matchAll(/\$labels\.(\w+)/g)) {
        expect(isAggregated ? kept : allLabels(expr), `${alert.alert}: ${label}`).toContain(label);
      }
    }
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  });

  test('all have tests, which use only existing series', async () => {
    interface Case {
      readonly input_series: readonly { readonly series: string }[];
      readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts?: readonly object[] }[];
    }
    const { tests } = parse(await read('deploy/prometheus/alerts.test.yml')) as { tests: Case[] };
    for (const { series } of tests.flatMap(({ input_series }) => input_series))
      expect([series, unknownNames(series)]).toEqual([series, []]);
    const named = tests.flatMap(({ alert_rule_test }) => alert_rule_test.map(({ alertname }) => alertname));
    // Each alert is at least in the test that a healthy service raises no alerts.
    expect(new Set(named)).toEqual(new Set(alerts.map(({ alert }) => alert)));
  });

  test('use only metrics and labels that the service has', () => {
    expect(alerts.length).toBeGreaterThan(5);
    for (const { alert, expr } of alerts) expect([alert, unknownNames(expr)]).toEqual([alert, []]);
  });

  test('link to a section of docs/troubleshooting.md that names them', async () => {
    const handbook = await read('docs/troubleshooting.md');
    const sections = new Map(
      handbook.split(/^#+ (?=\S)/m).map((text) => [text.split('\n')[0]!.toLowerCase().replaceAll(' ', '-'), text]),
    );
    for (const { alert, annotations, labels } of alerts) {
      const [file, anchor] = annotations.runbook_url.split('#');
      expect(file).toBe('docs/troubleshooting.md');
      expect(sections.get(anchor!) ?? `no section ${anchor}`).toContain(alert);
      expect(labels.severity).toMatch(/^(critical|warning)$/);
    }
  });

  test.skipIf(runTool('promtool', ['--version']) === undefined)('pass their own tests', () => {
    const directory = path.join(root, 'deploy/prometheus');
    expect(runTool('promtool', ['test', 'rules', 'alerts.test.yml'], { cwd: directory })).toMatchObject({ status: 0 });
  });
});

test('the Grafana dashboard uses only metrics and labels of the service, and shows every metric', async () => {
  interface Panel {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }
  const { panels } = JSON.parse(await read('deploy/grafana/roster.json')) as { panels: Panel[] };
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  for (const expression of expressions) expect([expression, unknownNames(expression)]).toEqual([expression, []]);
  const shown = expressions.join('\n');
  for (const { name } of ownMetrics()) expect(shown).toContain(name);
});

test('docs/operations.md explains every metric', async () => {
  const handbook = await read('docs/operations.md');
  for (const { name } of ownMetrics()) expect(handbook).toContain(`\`${name}\``);
  for (const [name] of handbook.matchAll(/\broster_(?!id)\w+/g)) expect([...exposed.keys()].join(' ')).toContain(name);
});
