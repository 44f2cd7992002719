import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  activitiesPerRequest,
  answerTextLimit,
  apiKeysPerAccount,
  attributesPerAccount,
  attributesPerBatchContact,
  attributesPerRequest,
  bodyLimits,
  bulkChangeLimits,
  contactsPerRequest,
  defaultsPerAccount,
  errorsPerBatchCallback,
  eventLimits,
  exportLimits,
  importLimits,
  invitationsPerAccount,
  indexedAttributesPerAccount,
  listsPerAccount,
  liveSegmentsPerAccount,
  longTextPerContact,
  pageLimits,
  searchLimits,
  segmentsPerAccount,
  subscriptionLimits,
  userActivitiesPerAnswer,
  userActivityDays,
} from '@roster/contract';
import { expect, test } from 'vitest';
import { attemptsPerAccount, attemptsPerReceiver } from '#features/callbacks/store/delivery-slots.ts';
import { concurrentDeliveries } from '#features/callbacks/index.ts';
import { uploadLimits } from '#features/imports/routes/file-routes.ts';
import { mailConnections } from '#features/mails/mailer.ts';
import { textMaxLength } from '#features/registry/coerce.ts';
import { totalFilterLength } from '#features/search/filter-room.ts';
import { segmentDepth, totalActivityConditions, totalConditions } from '#features/search/filter/resolve.ts';
import { settings } from '#platform/config/settings.ts';
import { searchTimeout } from '#platform/context.ts';
import { pageCharacters } from '#platform/http/paging/page.ts';
import { acceptDeadline } from '#platform/http/server/deadline.ts';
import { requestsInFlight } from '#platform/http/server/in-flight.ts';

const page = await readFile(path.join(import.meta.dirname, '../../../../docs/limits.md'), 'utf8');

/** Returns the numbers in the first row of the page that has the given first cell. */
function numbersOf(row: string): number[] {
  const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const cells =
    rows
      .find(([, first]) => first === row)
      ?.slice(2)
      .join('|') ?? '';
  return Array.from(cells.matchAll(/\d[\d,]*/g), ([number]) => Number(number.replaceAll(',', '')));
}

const mebibytes = ({ bytes }: { readonly bytes: number }): number => bytes / 1024 / 1024;

test.each<[row: string, limits: readonly number[]]>([
  ...Object.entries({
    'contact create, update, delete; blacklisting': bodyLimits.contacts,
    'activities (uncompressed)': bodyLimits.activities,
    'batch add': bodyLimits.batch,
    'searches, segments': bodyLimits.filter,
    'a sign-up; the options of an import': bodyLimits.columns,
    'attribute create, update': bodyLimits.attributes,
    export: bodyLimits.export,
  }).map(([row, limits]): [string, number[]] => [row, [mebibytes(limits), limits.values, limits.keys, limits.depth]]),
  ['contacts in create, update, delete, batch add, blacklisting', [contactsPerRequest]],
  ['activities', [activitiesPerRequest]],
  ['attributes in create, update, delete, usage', [attributesPerRequest]],
  ['attributes of a contact', [attributesPerAccount, attributesPerBatchContact]],
  ['attributes of an account', [attributesPerAccount]],
  ['value of a `text`', [textMaxLength.text]],
  ['value of a `long_text`', [textMaxLength.long_text]],
  ['values of one contact together', [longTextPerContact]],
  ['default values of an account together', [defaultsPerAccount]],
  ['attributes with an index', [indexedAttributesPerAccount]],
  [
    'groups, conditions in a group, values in a condition',
    [searchLimits.groups, searchLimits.conditionsPerGroup, searchLimits.valuesPerCondition],
  ],
  ['conditions together, with those of used segments', [totalConditions]],
  ['conditions on activities, with those of used segments', [totalActivityConditions]],
  ['segments inside segments', [segmentDepth]],
  ['filters of all segments of an account together', [totalFilterLength]],
  ['lists of an account', [listsPerAccount]],
  ['segments of an account', [segmentsPerAccount]],
  ['active API keys of an account', [apiKeysPerAccount]],
  ['open invitations of an account', [invitationsPerAccount]],
  ['unfinished imports of an account', [importLimits.unfinished]],
  ['unfinished bulk changes of an account', [bulkChangeLimits.unfinished]],
  ['a page of imports, exports, export schedules, bulk changes', [pageCharacters]],
  ['sort fields', [searchLimits.sortKeys]],
  ['fields of the output', [searchLimits.fields]],
  ['contacts on a page', [searchLimits.pageSize, searchLimits.defaultPageSize]],
  ['rows on a page of the operator API', [pageLimits.max, pageLimits.default]],
  ['values on a page', [answerTextLimit]],
  ['time of a search', [searchTimeout / 1000]],
  ['the activity of a person: range', [userActivityDays]],
  ['the activity of a person: activities', [userActivitiesPerAnswer]],
  ['file as it is sent', [settings.importFileMb.fallback]],
  ['file, uncompressed', [settings.importUnpackedMb.fallback]],
  ['time until the file is sent', [importLimits.fileHours]],
  ['columns', [importLimits.columns]],
  ['lists that the contacts are added to', [importLimits.audiences]],
  ['unfinished exports of an account', [settings.exportsPerAccount.fallback]],
  ['time to download the file', [exportLimits.fileDays]],
  ['`errors` in the callback', [errorsPerBatchCallback]],
  ['attempts at a time', [attemptsPerReceiver, attemptsPerAccount, concurrentDeliveries]],
  ['events in an answer of the feed', [eventLimits.default, eventLimits.max]],
  ['event subscriptions of an account', [subscriptionLimits.perAccount]],
  ['events in a delivery', [subscriptionLimits.events.default, subscriptionLimits.events.max]],
  ['fields of the contact in an event', [subscriptionLimits.fields]],
  ['live segments of an account', [liveSegmentsPerAccount]],
  ['connections of one worker to the mail server', [mailConnections]],
  ['requests of one API key a minute', [settings.rateLimit.fallback]],
  ['requests of an account that change contacts, at a time', [requestsInFlight.perAccount, requestsInFlight.total]],
  ['files of imports that are sent at a time', [uploadLimits.perKey, uploadLimits.total]],
  ['accepting a request', [acceptDeadline / 1000]],
])('docs/limits.md shows the limits of the code for: %s', (row, limits) => {
  expect(numbersOf(row).slice(0, limits.length)).toEqual(limits);
});
