import {
  Faults,
  readerOf,
  userActivitiesPerAnswer,
  UserActivityData,
  UserActivityWords,
  type PartlyRead,
  type UserActivityAnswer,
} from '@roster/contract';
import type { Static, TSchema } from 'typebox';
import { effectiveSettings } from '#features/accounts/store/account-settings.ts';
import type { Credential } from '#platform/http/authentication/credential.ts';
import { channelNumber } from '#platform/database/values/activity-numbers.ts';
import { oldestMonth, startOfMonth } from '#platform/time/month.ts';
import { contactKey } from '#features/contacts/model/identity.ts';
import type { Context } from '#platform/context.ts';
import { readAnywhere } from '#platform/database/replicas/read-anywhere.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { momentFormatter } from '#platform/time/moment-formatter.ts';
import type { Parameters } from '#platform/http/parameters/parameters.ts';
import { readData } from './data.ts';
import { periodOf, type Period } from './period.ts';
import { findUserActivities } from './user-activity-store.ts';
import { userActivityView } from './view.ts';

/** The parameters of a request: person, channel and days. */
export interface UserActivityRequest {
  readonly data: UserActivityData;
  /** The days in the time zone of the account. */
  readonly period: Period;
}

/**
 * Reads the parameters of a request. Adds all their faults, and returns undefined if there are any.
 */
export function checkRequest(
  { timeZone }: Credential,
  parameters: Parameters,
  faults: Faults,
): UserActivityRequest | undefined {
  readerOf(UserActivityWords)(parameters, faults);
  const given = readData(parameters.data, faults);
  const data = given === undefined ? {} : readWithin('data', UserActivityData, given, faults);
  const { from_date: from, to_date: to } = data;
  const period = from === undefined || to === undefined ? undefined : periodOf(from, to, timeZone, faults);
  return faults.count > 0 ? undefined : { data: data as UserActivityData, period: period! };
}

/**
 * Returns the activities of one person on a channel in a period. An unknown person has no
 * activities. Throws `too_many_activities`.
 */
export async function getUserActivity(
  context: Pick<Context, 'db' | 'now' | 'pool' | 'replicas'>,
  credential: Credential,
  { data: { primary_key: identity, channel, from_date, to_date }, period: { from, before } }: UserActivityRequest,
): Promise<UserActivityAnswer> {
  const { accountId, primaryKey, settings } = credential;
  const key = contactKey(primaryKey, identity);
  const { activity_retention_months: retention } = effectiveSettings(settings);
  const oldest = Date.parse(startOfMonth(oldestMonth(context.now().getTime(), retention)));
  const query = { accountId, channel: channelNumber(channel), from: Math.max(from, oldest), before };
  const limit = userActivitiesPerAnswer;
  const rows =
    key === undefined ? [] : await readAnywhere(context, (db) => findUserActivities(db, { ...query, key }, limit + 1));
  if (rows.length > limit) throw new ApiError('too_many_activities');
  const show = momentFormatter(credential.timeZone);
  return {
    status: 'success',
    result: {
      channel_activity: rows.map((row) => userActivityView(row, show)),
      from_date,
      to_date,
      channel,
    },
    details: 'Data fetched successfully',
  };
}

/** Reads a value with a shape. The paths of its faults begin with `field`. */
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
