import { anonymousPrefix, optOutChannels, type PersonExport } from '@roster/contract';
import { channelOf, kindOf } from '#platform/database/values/activity-numbers.ts';
import { widenedText } from '#features/registry/coerce.ts';
import type { Registry, StoredValue } from '#features/registry/registry.ts';
import { hideLinks } from '#features/mails/format/hide-links.ts';
import type { ItemFailureRow, StoredRequest } from '#features/people/request-store.ts';
import type { PersonItem } from '#features/people/payload-items.ts';
import type { ContactRow } from '#features/profiles/profile/profile-store.ts';
import type { lastOptOuts, PersonActivityRow, PersonMailRow, PersonSignUpRow } from './person-store.ts';

/** Returns a contact with its attributes, in the order in which the attributes were created. */
export function contactView(row: ContactRow, registry: Registry): PersonExport['contact'] {
  return {
    contact_id: row.contact_id,
    identity: row.contact_key.startsWith(anonymousPrefix) ? null : row.contact_key,
    contact_type: row.contact_type,
    type_before_blacklisting: row.type_before_blacklisting,
    email: row.email,
    mobile: row.mobile,
    attributes: registry.attributes.flatMap(({ key, name, dataType, widenedFrom }) => {
      const stored = row.attributes[key];
      if (stored === undefined) return [];
      // After a change of the data type to text, old values are converted in the background.
      const value: StoredValue = widenedFrom === null ? stored : widenedText(stored);
      return { name, data_type: dataType, value };
    }),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Returns the opt-out of each channel. */
export function optOutsView(row: ContactRow, last: Awaited<ReturnType<typeof lastOptOuts>>): PersonExport['opt_outs'] {
  return optOutChannels.map((channel) => {
    const activity = last.find((one) => channelOf(one.channel) === channel);
    return {
      channel,
      opted_out: row[`${channel}_opted_out`],
      opted_in_at: row.opted_in_at?.[channel] ?? null,
      last_activity:
        activity === undefined
          ? null
          : { activity: kindOf(activity.activity), occurred_at: activity.occurred_at.toISOString() },
    };
  });
}

/** Returns a sign-up without its token. */
export function signUpView(row: PersonSignUpRow): PersonExport['sign_ups'][number] {
  return {
    sign_up_id: row.sign_up_id,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    used_at: row.used_at?.toISOString() ?? null,
    contact: row.contact,
  };
}

/** Returns a mail without its links. The link of a sign-up or of a file works like a password. */
export function mailView(row: PersonMailRow): PersonExport['mails'][number] {
  return {
    mail_id: row.mail_id,
    template: row.template,
    to: row.recipient,
    subject: row.subject,
    text: hideLinks(row.plain_text),
    status: row.status,
    created_at: row.created_at.toISOString(),
    sent_at: row.sent_at?.toISOString() ?? null,
  };
}

/** Returns a request with only the items about the person. */
export function requestView(
  request: StoredRequest,
  items: readonly PersonItem[],
  failures: readonly ItemFailureRow[],
): PersonExport['requests'][number] {
  return {
    request_id: request.requestId,
    operation: request.operation,
    accepted_at: request.acceptedAt.toISOString(),
    finished_at: request.finishedAt?.toISOString() ?? null,
    status: request.status ?? 'accepted',
    items: items.map(({ index, show }) => ({
      index,
      item: show(),
      failures: failures.flatMap(({ item_index: at, ...failure }) => (at === index ? failure : [])),
    })),
  };
}

/** Returns an activity with names instead of numbers. */
export function activityView(row: PersonActivityRow): PersonExport['activities'][number] {
  return {
    channel: channelOf(row.channel),
    activity: kindOf(row.activity),
    occurred_at: row.occurred_at.toISOString(),
    message_id: row.message_id,
    msg_name: row.msg_name,
    bounce_type: row.hard_bounce === null ? null : row.hard_bounce ? 'hard' : 'soft',
    ip: row.ip,
    device: row.device,
    os: row.os,
    browser: row.browser,
    link: row.link,
  };
}
