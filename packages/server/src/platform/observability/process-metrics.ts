import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import packageFile from '../../../package.json' with { type: 'json' };

/**
 * Adds the metrics of this process and its runtime, and `roster_build_info`, to a registry. Call it
 * once in each process.
 *
 * `name` becomes a label, because the metrics of all processes of a service are shown together.
 */
export function watchProcess(registry: Registry, name: 'api' | 'worker'): void {
  const before = new Set(registry.getMetricsAsArray().map((metric) => metric.name));
  collectDefaultMetrics({ register: registry, labels: { process: name } });
  new Gauge({
    name: 'roster_build_info',
    help: 'Version of the service and of its runtime; the value is always 1.',
    labelNames: ['version', 'node', 'process'],
    registers: [registry],
  }).set({ version: packageFile.version, node: process.versions.node, process: name }, 1);
  for (const metric of registry.getMetricsAsArray()) {
    // Values with different labels must not be added up. Other aggregators would also drop some.
    if (!before.has(metric.name)) Object.assign(metric, { aggregator: 'first' });
  }
}
