import { listedFailures, type Permission, type PipelineState, type WorkKind } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import { countWorkers } from '#platform/database/statements/count-workers.ts';
import { daysBefore } from '#platform/time/intervals.ts';
import { accountBacklog, failedExports, failedImports, listRunning, type FailedWork } from './pipeline-state-store.ts';
import { failedBulkChanges, failedDeliveries, failedMails, failedRequests } from './failed-work-store.ts';

type Failures = (db: Context['db'], accountId: number, since: Date, listed: number) => Promise<FailedWork>;

/** The kinds of work that can fail, in the order of the answer. */
const kinds: readonly { readonly kind: WorkKind; readonly permission: Permission; readonly load: Failures }[] = [
  { kind: 'request', permission: 'requests:read', load: failedRequests },
  { kind: 'import', permission: 'imports:read', load: failedImports },
  { kind: 'export', permission: 'exports:read', load: failedExports },
  { kind: 'bulk_change', permission: 'contacts:read', load: failedBulkChanges },
  { kind: 'callback', permission: 'callbacks:read', load: failedDeliveries },
  { kind: 'mail', permission: 'mails:read', load: failedMails },
];

/**
 * Returns what an account waits for, what runs, and what failed since a moment (default: the last
 * 24 hours). Leaves out the kinds of work that the caller cannot read.
 */
export async function pipelineState(
  { db, now }: Pick<Context, 'db' | 'now'>,
  accountId: number,
  since: Date | undefined,
  can: (permission: Permission) => boolean,
): Promise<PipelineState> {
  const failedSince = since ?? daysBefore(now(), 1);
  const backlog = await accountBacklog(db, accountId);
  const running = await listRunning(db, accountId, {
    imports: can('imports:read'),
    exports: can('exports:read'),
  });
  const failures: PipelineState['failures'] = [];
  for (const { kind, permission, load } of kinds) {
    if (!can(permission)) continue;
    const { count, latest } = await load(db, accountId, failedSince, listedFailures);
    if (count === 0) continue;
    const works = latest.map(({ failed_at: at, ...work }) => ({ kind, ...work, percent: null, at: at.toISOString() }));
    failures.push({ kind, count, latest: works });
  }
  return {
    waiting_requests: backlog.requests,
    waiting_items: backlog.items,
    lag_seconds: backlog.oldest === null ? 0 : Math.max(0, (now().getTime() - backlog.oldest.getTime()) / 1000),
    workers: await countWorkers(db),
    running: running.map(({ began_at: at, ...work }) => ({ ...work, at: at.toISOString(), cause: null, failed: null })),
    failed_since: failedSince.toISOString(),
    failures,
  };
}
