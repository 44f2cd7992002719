/** A lock in memory that many tasks share, or one task holds exclusively. Tasks run in order. */
export class SharedLock {
  /** Resolves when the last exclusive task has ended. */
  #lastExclusive: Promise<unknown> = Promise.resolve();
  /** The shared tasks since then, running or waiting. */
  #sharing = new Set<Promise<unknown>>();

  /** Runs a task at the same time as other shared tasks. */
  shared<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#lastExclusive.then(task);
    const end = result.then(ignore, ignore);
    const sharing = this.#sharing;
    sharing.add(end);
    void end.then(() => sharing.delete(end));
    return result;
  }

  /** Runs a task while no other task runs. */
  exclusive<T>(task: () => Promise<T>): Promise<T> {
    const result = Promise.all([this.#lastExclusive, ...this.#sharing]).then(task);
    this.#lastExclusive = result.then(ignore, ignore);
    this.#sharing = new Set();
    return result;
  }
}

function ignore(): void {}
