import { CompiledQuery, type RawBuilder } from 'kysely';
import type { Database } from '../connection/database.ts';
import { literalSql } from './literal-sql.ts';

/** A node of a plan, as far as it is read here. */
interface PlanNode {
  readonly 'Plan Rows'?: number;
  /** On a cluster, the plans of the tasks are shown, and the rows of the node are not estimated. */
  readonly 'Distributed Query'?: { readonly Job?: PlannedJob };
}

interface PlannedJob {
  readonly 'Task Count'?: number;
  readonly Tasks?: readonly { readonly 'Remote Plan'?: readonly (readonly ExplainedPlan[])[] }[];
}

interface ExplainedPlan {
  readonly Plan?: PlanNode;
}

/**
 * Returns how many rows the planner expects that a query returns; undefined when the plan does not
 * show it. In a transaction, use it under a savepoint that is rolled back: on a cluster, no copy can
 * follow otherwise.
 */
export async function plannedRows(db: Database, query: RawBuilder<unknown>): Promise<number | undefined> {
  // Without parameters, because a cluster does not pass their types on to its nodes.
  const { rows } = await db.executeQuery<{ readonly 'QUERY PLAN': readonly ExplainedPlan[] }>(
    CompiledQuery.raw(`explain (format json) ${literalSql(query)}`),
  );
  return rowsOf(rows[0]?.['QUERY PLAN'][0]?.Plan);
}

function rowsOf(plan: PlanNode | undefined): number | undefined {
  const job = plan?.['Distributed Query']?.Job;
  if (job === undefined) return plan?.['Plan Rows'];
  const shown = (job.Tasks ?? []).flatMap((task) => {
    const rows = rowsOf(task['Remote Plan']?.[0]?.[0]?.Plan);
    return rows === undefined ? [] : [rows];
  });
  if (shown.length === 0) return undefined;
  const sum = shown.reduce((total, rows) => total + rows, 0);
  return (sum * (job['Task Count'] ?? shown.length)) / shown.length;
}
