/** A lock within the process that many share, or one has alone. PoisonGuard come in the order in which they were asked for. */
export class SharedLock {
  /** Resolves when the last of those that want the lock alone has ended. */
  #lastAlone: Promise<unknown> = Promise.resolve();
  /** Those that share the lock since then, or wait to. */
  #sharing = new Set<Promise<unknown>>();

  /** Runs a task together with others. */
  shared<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#lastAlone.then(task);
    const end = result.then(ignore, ignore);
    const sharing = this.#sharing;
    sharing.add(end);
    void end.then(() => sharing.delete(end));
    return result;
  }

  /** Runs a task while no other runs. */
  alone<T>(task: () => Promise<T>): Promise<T> {
    const result = Promise.all([this.#lastAlone, ...this.#sharing]).then(task);
    this.#lastAlone = result.then(ignore, ignore);
    this.#sharing = new Set();
    return result;
  }
}

function ignore(): void {}
