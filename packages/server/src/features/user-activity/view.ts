import type { UserActivity } from '@roster/contract';
import { kindOf } from '#platform/database/values/activity-numbers.ts';
import type { UserActivityRow } from './user-activity-store.ts';

/**
 * Returns an activity as the API shows it. Keys that do not apply are absent. `show` formats a
 * moment in the time zone of the account.
 */
export function userActivityView(row: UserActivityRow, show: (moment: number) => string): UserActivity {
  const { message_id, msg_name, ip, device, os, browser, link } = row;
  return {
    activity: kindOf(row.activity),
    ...(message_id === null ? {} : { message_id }),
    ...(msg_name === null ? {} : { msg_name }),
    activity_date: show(row.occurred_at.getTime()),
    ...(ip === null ? {} : { ip }),
    ...(device === null ? {} : { device }),
    ...(os === null ? {} : { os }),
    ...(browser === null ? {} : { browser }),
    ...(link === null ? {} : { link }),
  };
}
