import { given } from '#platform/given.ts';
import type { RosterCommand } from '../../terminal/command.ts';
import { writeListing, type LimitOptions } from '../../terminal/records.ts';

interface FilterOptions extends LimitOptions {
  readonly actor?: string;
  readonly action?: string;
  readonly subject?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Adds `roster audit-log list`. */
export function addAuditLogCommands(program: RosterCommand): void {
  const log = program.command('audit-log').description('who changed what in an account');

  log
    .command('list')
    .limited()
    .option('--actor <author>', 'only changes of this author, such as operator, user:7 or api-key:3')
    .option('--action <action>', 'only this kind of change, such as list.create')
    .option('--subject <object>', 'only changes of this object, such as list:3')
    .option('--from <moment>', 'only changes at this time or later')
    .option('--to <moment>', 'only changes before this time')
    .described('list the newest changes', 'roster audit-log list --actor user:7 --limit 20')
    .onAccount<FilterOptions>(({ account, output, options: { limit, actor, action, subject, from, to } }) => {
      const filter = given({ actor, action, subject, from, to });
      return writeListing(output, given({ limit }), (page) => account.auditLog.list({ ...page, ...filter }), {
        WHEN: (one) => one.occurred_at,
        AUTHOR: (one) => one.actor,
        ACTION: (one) => one.action,
        OBJECT: (one) => one.subject,
        DETAILS: (one) => (Object.keys(one.details).length === 0 ? '' : JSON.stringify(one.details)),
      });
    });
}
