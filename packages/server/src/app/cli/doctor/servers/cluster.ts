import type pg from 'pg';
import type { Config } from '#platform/config/config.ts';
import { openConnection } from '#platform/database/connection/open-connection.ts';
import {
  nodeName,
  nodeUrl,
  readClusterState,
  type NodeState,
} from '#platform/database/layout/cluster/cluster-state.ts';
import { readLayout } from '#platform/database/layout/layout.ts';
import { explainReadOnly, readOnlyReason } from '#platform/database/statements/read-only.ts';
import { fault, faultOf, ok, reasonOf, warning, type Finding } from '../findings/finding.ts';

/** Milliseconds after which a node does not respond. */
const timeout = 5000;

/** Checks the layout of the database, and the nodes of a cluster. The schema must exist. */
export async function checkCluster(client: pg.Client, config: Config): Promise<readonly Finding[]> {
  const layout = await readLayout(client);
  if (layout !== config.layout) {
    return [
      layout === 'citus'
        ? fault('The database is distributed over the nodes of a cluster.', 'Set ROSTER_LAYOUT=citus.')
        : fault(
            'ROSTER_LAYOUT is citus, but the database is not distributed.',
            'Run `roster migrate --layout citus`, or unset ROSTER_LAYOUT.',
          ),
    ];
  }
  if (layout === 'single') return [];
  const { nodes, missing } = await readClusterState(client);
  const found = await Promise.all(nodes.map((node) => checkNode(config.databaseUrl!, node)));
  if (missing.length > 0) {
    found.push(
      fault(
        `These tables are not distributed over the nodes: ${missing.join(', ')}.`,
        'Run `roster migrate --layout citus`.',
      ),
    );
  }
  return found;
}

async function checkNode(url: string, node: NodeState): Promise<Finding> {
  const name = nodeName(node);
  const holds = `${counted(node.shards, 'shard')} and ${counted(node.accounts, 'account')}`;
  try {
    const connection = await openConnection(nodeUrl(url, node), 'roster doctor', timeout);
    const readOnly = await readOnlyReason(connection).finally(() => void connection.end());
    if (readOnly !== undefined)
      return faultOf(
        explainReadOnly(`node ${name} with ${holds}`, readOnly, 'Name the primary with citus_update_node'),
      );
  } catch (error) {
    return fault(
      `The node ${name} with ${holds} does not respond: ${reasonOf(error)}.`,
      'Its accounts wait until it is back. Start its PostgreSQL, and check that this machine can connect to it.',
    );
  }
  return node.shards > 0
    ? ok(`The node ${name} responds. It has ${holds}.`)
    : warning(
        `The node ${name} has no shards, so it has no accounts.`,
        `Move shards to it. Run on the coordinator: select citus_rebalance_start(shard_transfer_mode => 'block_writes')`,
      );
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
