import { endedWorkSeconds, type Permission, type RunningWork } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import { second } from '#platform/time/intervals.ts';

/** The work of one source, with the permission that is needed to see it. */
export interface SourceWork {
  readonly permission: Permission;
  readonly work: readonly RunningWork[];
}

/** Maximum number of pieces of work in an answer. */
const maxWork = 100;

/** Asks every feature for the running work of an account. */
export async function loadWork(context: Context, accountId: number): Promise<readonly SourceWork[]> {
  const since = new Date(context.now().getTime() - endedWorkSeconds * second);
  const found: SourceWork[] = [];
  // One query at a time, so that a poll takes only one connection of the process.
  for (const { work: source } of context.features) {
    if (source === undefined) continue;
    found.push({ permission: source.permission, work: await source.list(context, accountId, since) });
  }
  return found;
}

/** Returns the work that a caller may see, newest first. Waiting work comes first. */
export function visibleWork(
  sources: readonly SourceWork[],
  can: (permission: Permission) => boolean,
): readonly RunningWork[] {
  const visible = sources.flatMap(({ permission, work }) => (can(permission) ? work : []));
  const startOf = ({ started_at: startedAt }: RunningWork): string => startedAt ?? '9999';
  return visible.sort((a, b) => (startOf(a) < startOf(b) ? 1 : startOf(a) > startOf(b) ? -1 : 0)).slice(0, maxWork);
}
