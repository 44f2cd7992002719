/**
 * A node of a cluster cannot be reached, so the accounts on it cannot be served. Nothing was sent,
 * and a later retry can succeed.
 */
export class NodeDown extends Error {
  override readonly name = 'NodeDown';
  constructor(node: string) {
    super(`the node ${node} of the cluster cannot be reached`);
  }
}
