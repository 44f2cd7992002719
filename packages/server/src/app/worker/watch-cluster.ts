import type { Context } from '#platform/context.ts';
import { nodeName, readClusterState } from '#platform/database/layout/cluster-state.ts';

/** Measures the nodes of a cluster for the metrics. Does nothing on a single server. */
export async function watchCluster({ config, metrics, pool, servers }: Context): Promise<void> {
  if (config.layout === 'single') return;
  const { nodes, missing } = await readClusterState(pool);
  const used = await servers.shards();
  const responds = new Map(
    await Promise.all(
      [...new Set(used.map(({ server }) => server))].map(async (server) => {
        const isUp = await server.pool.query('select 1').then(
          () => true,
          () => false,
        );
        return [server.name, isUp] as const;
      }),
    ),
  );
  for (const gauge of [metrics.nodeUp, metrics.nodeShards, metrics.nodeAccounts]) gauge.reset();
  for (const node of nodes) {
    const labels = { node: nodeName(node) };
    metrics.nodeShards.set(labels, node.shards);
    metrics.nodeAccounts.set(labels, node.accounts);
    // A node without shards is not used.
    const isUp = responds.get(labels.node);
    if (isUp !== undefined) metrics.nodeUp.set(labels, isUp ? 1 : 0);
  }
  metrics.tablesNotDistributed.set(missing.length);
}
