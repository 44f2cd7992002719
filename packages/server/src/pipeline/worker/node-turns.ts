// Milliseconds after a failure for which a node is served by one loop at a time.
const troubleTime = 30_000;

/**
 * Keeps one node of a cluster from occupying all loops of a worker.
 *
 * A transaction can wait on a node that responds: for a shard that moves, or for a standby that is
 * lost. Each such wait ends with an error after some seconds, but many accounts can wait. So a node
 * on which a transaction has failed is served by one loop at a time for a while, and the other loops
 * serve other nodes. On a single server, all loops always serve it.
 */
export class NodeTurns {
  readonly #troubledUntil = new Map<string, number>();
  readonly #serving = new Map<string, number>();

  /**
   * Begins to serve a node. Returns undefined when it is the turn of another loop. Dispose the result
   * when the loop leaves the node.
   */
  begin(node: string): Disposable | undefined {
    const serving = this.#serving.get(node) ?? 0;
    if (serving > 0 && (this.#troubledUntil.get(node) ?? 0) > performance.now()) return undefined;
    this.#serving.set(node, serving + 1);
    return { [Symbol.dispose]: () => void this.#serving.set(node, this.#serving.get(node)! - 1) };
  }

  /** Notes that a transaction on a node has failed. */
  noteFailure(node: string): void {
    this.#troubledUntil.set(node, performance.now() + troubleTime);
  }
}
