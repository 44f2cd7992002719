import type { Context } from '#platform/context.ts';
import { nodeName, readClusterState } from '#platform/database/layout/cluster/cluster-state.ts';

/**
 * Measures the nodes of a cluster for the metrics. Does nothing on a single server. Whether a node
 * responds is measured by the watch that each process has (node-watch.ts).
 */
export async function watchCluster({ config, metrics, pool }: Context): Promise<void> {
  if (config.layout === 'single') return;
  const { nodes, missing } = await readClusterState(pool);
  for (const gauge of [metrics.nodeShards, metrics.nodeAccounts]) gauge.reset();
  for (const node of nodes) {
    const labels = { node: nodeName(node) };
    metrics.nodeShards.set(labels, node.shards);
    metrics.nodeAccounts.set(labels, node.accounts);
  }
  metrics.tablesNotDistributed.set(missing.length);
}
