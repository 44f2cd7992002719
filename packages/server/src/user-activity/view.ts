import type { UserActivity } from '@roster/contract';
import { kindOf } from '../activities/activity.ts';
import type { LocalTime } from './local-time.ts';
import type { UserActivityRow } from './user-activity-store.ts';

/** One activity as it is answered (interface §4.4): keys that do not apply are absent. */
export function userActivityView(row: UserActivityRow, local: LocalTime): UserActivity {
  const { message_id, msg_name, ip, device, os, browser, link } = row;
  return {
    activity: kindOf(row.activity),
    ...(message_id === null ? {} : { message_id }),
    ...(msg_name === null ? {} : { msg_name }),
    activity_date: local.display(row.occurred_at.getTime()),
    ...(ip === null ? {} : { ip }),
    ...(device === null ? {} : { device }),
    ...(os === null ? {} : { os }),
    ...(browser === null ? {} : { browser }),
    ...(link === null ? {} : { link }),
  };
}
