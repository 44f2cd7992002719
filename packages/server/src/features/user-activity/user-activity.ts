import {
  Faults,
  readerOf,
  userActivitiesPerAnswer,
  UserActivityData,
  UserActivityWords,
  type PartlyRead,
} from '@roster/contract';
import type { Static, TSchema } from 'typebox';
import { effectiveSettings } from '#features/accounts/store/account-settings.ts';
import type { Credential } from '#platform/http/authentication/credential.ts';
import { channelNumber } from '#features/activities/activity.ts';
import { oldestMonth, startOfMonth } from '#features/activities/month.ts';
import { contactKey } from '#features/contacts/model/identity.ts';
import type { Context } from '#platform/context.ts';
import { ApiError, invalidRequest } from '#platform/errors/api-error.ts';
import { momentsIn } from '#platform/time/show-moment.ts';
import { readData, type UserActivityParameters } from './parameters.ts';
import { periodOf } from './period.ts';
import { findUserActivities } from './user-activity-store.ts';
import { userActivityView } from './view.ts';

/**
 * Answers what happened to one person on a channel in some days (interface §4.4, decisions §6). A person that nobody knows has no activities.
 *
 * Throws `invalid_request` with all faults, those of the parameters among them, and `too_many_activities`.
 */
export async function getUserActivity(
  context: Pick<Context, 'db' | 'now'>,
  credential: Credential,
  parameters: UserActivityParameters,
  faults: Faults,
): Promise<object> {
  readerOf(UserActivityWords)(parameters, faults);
  const given = readData(parameters.data, faults);
  const data = given === undefined ? {} : readWithin('data', UserActivityData, given, faults);
  const { primary_key: identity, channel, from_date: fromDate, to_date: toDate } = data;
  const period =
    fromDate === undefined || toDate === undefined
      ? undefined
      : periodOf(fromDate, toDate, credential.timeZone, faults);
  if (faults.count > 0) throw invalidRequest(faults.list);

  const { accountId, primaryKey, settings } = credential;
  const { from, before } = period!;
  const key = contactKey(primaryKey, identity!);
  const { activity_retention_months: retention } = effectiveSettings(settings);
  const oldest = Date.parse(startOfMonth(oldestMonth(context.now().getTime(), retention)));
  const query = { accountId, channel: channelNumber(channel!), from: Math.max(from, oldest), before };
  const limit = userActivitiesPerAnswer;
  const rows = key === undefined ? [] : await findUserActivities(context.db, { ...query, key }, limit + 1);
  if (rows.length > limit) throw new ApiError('too_many_activities');
  const show = momentsIn(credential.timeZone);
  return {
    status: 'success',
    result: {
      channel_activity: rows.map((row) => userActivityView(row, show)),
      from_date: fromDate,
      to_date: toDate,
      channel,
    },
    details: 'Data fetched successfully',
  };
}

/** Reads a value in a shape; its faults are at `field`. */
function readWithin<Shape extends TSchema>(
  field: string,
  shape: Shape,
  given: unknown,
  faults: Faults,
): PartlyRead<Static<Shape>> {
  const before = faults.count;
  const value = readerOf(shape)(given, faults);
  faults.prefix(before, field);
  return value as PartlyRead<Static<Shape>>;
}
