export * from './shapes/service/account-deletions.ts';
export * from './shapes/service/accounts.ts';
export * from './shapes/contacts/activities.ts';
export * from './shapes/contacts/activity-conditions.ts';
export * from './shapes/contacts/attribute-indexes.ts';
export * from './shapes/contacts/attribute-values.ts';
export * from './text/attribute-names.ts';
export * from './shapes/contacts/attributes.ts';
export * from './shapes/contacts/audiences.ts';
export * from './shapes/service/audit-log.ts';
export * from './shapes/service/batch-add.ts';
export * from './shapes/common/body-limits.ts';
export * from './shapes/service/bulk-changes.ts';
export * from './shapes/contacts/contacts.ts';
export * from './shapes/service/deliveries.ts';
export * from './shapes/contacts/derived-attributes.ts';
export * from './shapes/common/envelope.ts';
export * from './shapes/events/events.ts';
export * from './shapes/events/event-subscriptions.ts';
export * from './shapes/contacts/find-contacts.ts';
export * from './shapes/contacts/list-growth.ts';
export * from './shapes/contacts/segment-growth.ts';
export * from './shapes/people/erasures.ts';
export * from './catalogue/errors.ts';
export * from './catalogue/failures.ts';
export * from './shapes/service/exports.ts';
export * from './shapes/exports/create-export.ts';
export * from './shapes/exports/export-schedules.ts';
export * from './catalogue/import-failures.ts';
export * from './shapes/service/imports.ts';
export * from './shapes/service/import-columns.ts';
export * from './shapes/service/import-failures.ts';
export * from './presets/import-preset.ts';
export * from './presets/import-presets.ts';
export * from './text/exact-json.ts';
export * from './text/written-dates.ts';
export * from './text/written-numbers.ts';
export * from './shapes/service/mails.ts';
export * from './shapes/older/audience-list.ts';
export * from './shapes/older/blacklist.ts';
export * from './text/nearest-name.ts';
export * from './shapes/common/paging.ts';
export * from './shapes/common/permissions.ts';
export * from './shapes/people/person-export.ts';
export * from './shapes/people/profiles.ts';
export * from './shapes/service/requests.ts';
export * from './shapes/console/running-work.ts';
export * from './shapes/console/saved-views.ts';
export * from './shapes/common/search-envelope.ts';
export * from './shapes/contacts/search.ts';
export * from './shapes/access/members.ts';
export * from './shapes/access/passkeys.ts';
export * from './shapes/access/profile.ts';
export * from './shapes/access/sign-in.ts';
export * from './shapes/people/sign-ups.ts';
export * from './shapes/service/statistics.ts';
export * from './shapes/service/system.ts';
export * from './shapes/contacts/user-activity.ts';
export { isWrittenMoment, readDate, readMoment } from './reader/calendar.ts';
export { Faults, faultCodes, type Fault, type FaultCode } from './reader/faults.ts';
export { anonymousPrefix } from './reader/formats.ts';
export type { PartlyRead, Reader } from './reader/keywords.ts';
export { readerOf } from './reader/reader.ts';
export { plainName } from './text/plain-name.ts';
export {
  characters,
  decimalText,
  inexactNumber,
  isEmail,
  isExactNumber,
  isLongerThan,
  isStorable,
  mobileDigits,
  shownKey,
} from './text/text.ts';
