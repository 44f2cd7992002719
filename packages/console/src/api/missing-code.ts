const failures = new WeakSet<Error>();
const lastReload = 'roster-reloaded';

/** Milliseconds between two looks whether the service is there again. */
const pollInterval = 3000;
/** Milliseconds after a reload in which the page does not load itself again. */
const minimumStay = 10_000;

/**
 * Notes that the code of a page or dialog could not be loaded: the service is away, or an update has
 * replaced the file.
 */
export function noteMissingCode(error: Error): void {
  failures.add(error);
  // With the message of the browser, the router would load the page again at once. Without the
  // service, that ends in an error page of the browser.
  error.message = 'A part of the console could not be loaded';
}

/** Tells whether an error is that of code that could not be loaded. */
export function isMissingCode(error: unknown): boolean {
  return error instanceof Error && failures.has(error);
}

/**
 * Loads the page again as soon as the service answers. If it answers at once, but the page has just
 * been loaded again, the fault is another one, and the page stays. Returns the function that stops.
 */
export function reloadWhenReachable(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  async function look(isFirst: boolean): Promise<void> {
    const isReachable = await reachesService();
    if (isStopped) return;
    if (!isReachable) timer = setTimeout(() => void look(false), pollInterval);
    else if (!isFirst || Date.now() - Number(sessionStorage.getItem(lastReload) ?? 0) > minimumStay) reload();
  }
  void look(true);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Loads the page again if the service answers now. */
export async function reloadIfReachable(): Promise<void> {
  if (await reachesService()) reload();
}

async function reachesService(): Promise<boolean> {
  try {
    return (await fetch('/console', { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

function reload(): void {
  sessionStorage.setItem(lastReload, String(Date.now()));
  location.reload();
}
