import type { StoredContact } from './account.ts';

/**
 * Evaluates searches in memory. It was written from the documentation of the filter language, and
 * shares no code with the search that it checks.
 */

/** A canonical value. Dates and date-times are texts. */
export type Plain = string | number | boolean;

/** A condition with canonical values. */
export interface ModelCondition {
  readonly field: string;
  readonly operation: string;
  readonly values: readonly Plain[];
  /** Which activities count. Only for the field `activity`. */
  readonly selection?: ModelSelection;
}

/** Which activities a condition counts. Absent parts mean any. */
export interface ModelSelection {
  readonly activity?: readonly string[];
  readonly channel?: readonly string[];
  readonly message_id?: readonly number[];
  readonly message_name?: readonly string[];
  readonly when?: { readonly operation: string; readonly values: readonly Plain[] };
}

/** An activity of a contact. */
export interface ModelActivity {
  readonly activity: string;
  readonly channel: string;
  readonly occurred_at: string;
  readonly message_id: number | null;
  readonly msg_name: string | null;
}

/** A filter with canonical values. */
export interface ModelFilter {
  readonly operator: 'and' | 'or';
  readonly groups: readonly { readonly operator: 'and' | 'or'; readonly conditions: readonly ModelCondition[] }[];
}

/** The properties of an account that filters depend on. */
export interface World {
  /** Name of the primary key, whose value is the identity. */
  readonly primaryKey: string;
  /** The time zone of the account. */
  readonly timeZone: string;
  /** The moment of the search, for relative dates. */
  readonly now: Date;
  readonly segments: ReadonlyMap<number, ModelFilter>;
  /** The activities of each contact, by contact_id. Also those that are too old to count. */
  readonly activities: ReadonlyMap<number, readonly ModelActivity[]>;
  /** The latest names of messages. */
  readonly messageNames: ReadonlyMap<number, string>;
  /** Activities before this moment are not kept. */
  readonly oldestActivity: string;
}

/** A sort key. */
export interface ModelSort {
  readonly field: string;
  readonly descending: boolean;
}

/** Returns true if a contact matches a filter. A filter without groups matches every contact. */
export function matches(contact: StoredContact, filter: ModelFilter, world: World): boolean {
  if (filter.groups.length === 0) return true;
  return combine(filter.operator, filter.groups, (group) =>
    combine(group.operator, group.conditions, (condition) => meets(contact, condition, world)),
  );
}

function combine<T>(operator: 'and' | 'or', items: readonly T[], test: (item: T) => boolean): boolean {
  return operator === 'and' ? items.every(test) : items.some(test);
}

/**
 * Returns the value of a field, or null if the contact has no value. Lists are arrays of numbers.
 */
export function valueOf(contact: StoredContact, field: string, world: World): Plain | readonly number[] | null {
  if (field === world.primaryKey && field !== 'EMAIL' && field !== 'MOBILE') return contact.identity;
  switch (field) {
    case 'contact_id':
    case 'contact_type':
    case 'identity':
    case 'email':
    case 'mobile':
    case 'created_at':
    case 'updated_at':
    case 'email_opted_out':
    case 'sms_opted_out':
    case 'whatsapp_opted_out':
      return contact[field];
    case 'list_id':
      return contact.lists.length === 0 ? null : contact.lists;
    default:
      return field.startsWith('activity.') ? derivedValue(contact, field, world) : (contact.attributes[field] ?? null);
  }
}

/**
 * Computes a derived attribute. Messages that were sent are those of the world; the other activities
 * are those in the summary of the contact.
 */
function derivedValue(contact: StoredContact, field: string, world: World): Plain | null {
  const { now, timeZone, oldestActivity } = world;
  const kept = (world.activities.get(contact.contact_id) ?? []).filter(({ occurred_at: at }) => at >= oldestActivity);
  const sent = kept.filter(({ activity }) => activity === 'sent');
  const activities = field.includes('sent')
    ? sent.map(({ activity: kind, channel, occurred_at: at }) => ({ kind, channel, at }))
    : contact.activities;
  const [, first = '', second] = field.split('.');
  const last = (found: readonly { readonly at: string }[]) =>
    found
      .map(({ at }) => at)
      .sort()
      .at(-1) ?? null;
  if (field === 'activity.last_seen') return last(activities);
  if (second?.startsWith('last_') === true) {
    return last(activities.filter(({ channel, kind }) => channel === first && second === `last_${kind}`));
  }
  const today = new Date(`${localDay(now.toISOString(), timeZone)}T00:00:00Z`);
  const count = (kindCounted: string, days: number, channelCounted?: string): number =>
    activities.filter(
      ({ channel, kind, at }: { channel: string; kind: string; at: string }) =>
        kind === kindCounted &&
        (channelCounted ?? channel) === channel &&
        localDay(at, timeZone) >= written(plusDays(today, -days)),
    ).length;
  if (first === 'engagement_score') {
    const points = 3 * count('open', 30) + 2 * count('open', 90) + 6 * count('click', 30) + 4 * count('click', 90);
    return Math.min(100, points);
  }
  const [, kind, days] = /^(sent|open|click)_(30|90)_days$/.exec(second ?? first)!;
  return count(kind!, Number(days), second === undefined ? undefined : first);
}

function meets(contact: StoredContact, condition: ModelCondition, world: World): boolean {
  const { field, operation, values, selection } = condition;
  if (selection !== undefined) {
    const own = world.activities.get(contact.contact_id) ?? [];
    return isSoOften(own.filter((one) => isChosen(one, selection, world)).length, operation, Number(values[0]));
  }
  if (field === 'segment_id') {
    const member = values.some((id) => matches(contact, world.segments.get(id as number)!, world));
    return operation === 'equals' ? member : !member;
  }
  const value = valueOf(contact, field, world);
  if (value === null) return /^not_|^is_null$/.test(operation);
  if (isMomentField.has(field)) return meetsInTime(String(value), operation, values.map(String), world);
  if (field === 'BIRTH_DATE') return meetsInTime(String(value), operation, values.map(String), world);
  const [first, second] = values;
  switch (operation) {
    case 'equals':
      return values.some((candidate) => same(field, value, candidate));
    case 'not_equals':
      return !values.some((candidate) => same(field, value, candidate));
    case 'equals_ignore_case':
      return values.some((candidate) => fold(value as string) === fold(candidate as string));
    case 'not_equals_ignore_case':
      return !values.some((candidate) => fold(value as string) === fold(candidate as string));
    case 'contains':
      return fold(value as string).includes(fold(first as string));
    case 'not_contains':
      return !fold(value as string).includes(fold(first as string));
    case 'starts_with':
      return fold(value as string).startsWith(fold(first as string));
    case 'ends_with':
      return fold(value as string).endsWith(fold(first as string));
    case 'greater_than':
      return value > first!;
    case 'greater_than_or_equal':
      return value >= first!;
    case 'less_than':
      return value < first!;
    case 'less_than_or_equal':
      return value <= first!;
    case 'between':
      return value >= first! && value <= second!;
    case 'is_null':
      return false;
    case 'is_not_null':
      return true;
    default:
      throw new Error(`the oracle does not know ${operation}`);
  }
}

function isSoOften(count: number, operation: string, times: number): boolean {
  switch (operation) {
    case 'at_least':
      return count >= times;
    case 'at_most':
      return count <= times;
    case 'exactly':
      return count === times;
    case 'never':
      return count === 0;
    default:
      throw new Error(`the oracle does not know ${operation} of activities`);
  }
}

function isChosen(one: ModelActivity, chosen: ModelSelection, world: World): boolean {
  if (one.occurred_at < world.oldestActivity) return false;
  if (chosen.activity?.includes(one.activity) === false) return false;
  if (chosen.channel?.includes(one.channel) === false) return false;
  if (chosen.message_id !== undefined && !chosen.message_id.some((id) => id === one.message_id)) return false;
  if (chosen.message_name !== undefined) {
    const latest = one.message_id === null ? undefined : world.messageNames.get(one.message_id);
    if (!chosen.message_name.some((name) => name === one.msg_name || name === latest)) return false;
  }
  const { when } = chosen;
  return when === undefined || meetsInTime(one.occurred_at, when.operation, when.values.map(String), world);
}

const isMomentField = new Set([
  'created_at',
  'updated_at',
  'LAST_SEEN',
  'activity.last_seen',
  'activity.email.last_open',
  'activity.email.last_sent',
]);

/**
 * Evaluates a condition on a date or date-time field. Days, also relative ones, are compared with
 * the local day in the time zone of the account.
 */
function meetsInTime(value: string, operation: string, values: readonly string[], world: World): boolean {
  const { timeZone } = world;
  const now = world.now.toISOString();
  const isDate = value.length === 10;
  const day = isDate ? value : localDay(value, timeZone);
  const moment = isDate ? '' : value;
  const today = localDay(now, timeZone);
  const spans = /^in_|^not_in_|^anniversary/.test(operation) ? [] : values.map((given) => spanOf(given, world));
  // Compares with the days of the span, or with its moment.
  const own = ({ isMoment }: Span) => (isMoment ? moment : day);
  const isIn = (span: Span) => own(span) >= span.first && own(span) <= span.last;
  const [first, second] = spans;
  const inLast = (length: string) => {
    const edge = spanOf(`-${length}`, world);
    if (isDate) return day >= edge.first && day <= today;
    return moment <= now && own(edge) >= edge.first;
  };
  switch (operation) {
    case 'equals':
      return spans.some(isIn);
    case 'not_equals':
      return !spans.some(isIn);
    case 'greater_than':
      return own(first!) > first!.last;
    case 'greater_than_or_equal':
      return own(first!) >= first!.first;
    case 'less_than':
      return own(first!) < first!.first;
    case 'less_than_or_equal':
      return own(first!) <= first!.last;
    case 'between':
      return own(first!) >= first!.first && own(second!) <= second!.last;
    case 'in_last':
      return inLast(values[0]!);
    case 'not_in_last':
      return !inLast(values[0]!);
    case 'in_next': {
      const edge = spanOf(`+${values[0]!}`, world);
      return isDate ? day >= today && day <= edge.last : moment >= now && own(edge) <= edge.last;
    }
    case 'anniversary':
      return values.some((given) =>
        /^\d\d-\d\d$/.test(given) ? day.slice(5) === given : hasAnniversary(day, spanOf(given, world)),
      );
    case 'anniversary_in_next':
      return hasAnniversary(day, { first: today, last: spanOf(`+${values[0]!}`, world).last });
    case 'is_null':
      return false;
    case 'is_not_null':
      return true;
    default:
      throw new Error(`the oracle does not know ${operation} of moments`);
  }
}

/** Days or moments from `first` to `last`, both inclusive. */
interface Span {
  readonly first: string;
  readonly last: string;
  readonly isMoment: boolean;
}

function spanOf(given: string, { now, timeZone }: World): Span {
  if (/^\d{4}/.test(given)) return { first: given, last: given, isMoment: given.length > 10 };
  if (given === 'now') return { first: now.toISOString(), last: now.toISOString(), isMoment: true };
  const hours = /^([+-]\d+) hours?$/.exec(given);
  if (hours !== null) {
    const at = new Date(now.getTime() + Number(hours[1]) * 3_600_000).toISOString();
    return { first: at, last: at, isMoment: true };
  }
  const today = new Date(`${localDay(now.toISOString(), timeZone)}T00:00:00Z`);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
  const span = (first: Date, last: Date): Span => ({ first: written(first), last: written(last), isMoment: false });
  const shifted = (days: number): Span => span(plusDays(today, days), plusDays(today, days));
  const [, sign, count, unit] = /^([+-])(\d+) (day|week|month|year)s?$/.exec(given) ?? [];
  const n = Number(`${sign}${count}`);
  if (unit === 'day' || unit === 'week') return shifted(unit === 'day' ? n : 7 * n);
  if (unit !== undefined) {
    const months = month + (unit === 'month' ? n : 12 * n);
    // Day 0 of the next month is the last day of this one.
    const lastDay = new Date(Date.UTC(year, months + 1, 0)).getUTCDate();
    const day = new Date(Date.UTC(year, months, Math.min(today.getUTCDate(), lastDay)));
    return span(day, day);
  }
  const monday = plusDays(today, -((today.getUTCDay() + 6) % 7));
  switch (given) {
    case 'yesterday':
      return shifted(-1);
    case 'today':
      return shifted(0);
    case 'tomorrow':
      return shifted(1);
    case 'this week':
      return span(monday, plusDays(monday, 6));
    case 'last month':
      return span(new Date(Date.UTC(year, month - 1, 1)), new Date(Date.UTC(year, month, 0)));
    case 'this month':
      return span(new Date(Date.UTC(year, month, 1)), new Date(Date.UTC(year, month + 1, 0)));
    case 'this year':
      return span(new Date(Date.UTC(year, 0, 1)), new Date(Date.UTC(year, 11, 31)));
    case 'last year':
      return span(new Date(Date.UTC(year - 1, 0, 1)), new Date(Date.UTC(year - 1, 11, 31)));
    default:
      throw new Error(`the oracle does not know the date ${given}`);
  }
}

function plusDays(day: Date, days: number): Date {
  return new Date(day.getTime() + days * 86_400_000);
}

function written(day: Date): string {
  return day.toISOString().slice(0, 10);
}

/** True when some day of the span is the anniversary of the day. */
function hasAnniversary(day: string, { first, last }: Pick<Span, 'first' | 'last'>): boolean {
  for (let year = Number(first.slice(0, 4)); year <= Number(last.slice(0, 4)); year++) {
    const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
    const rest = day.slice(5) === '02-29' && !isLeap ? '02-28' : day.slice(5);
    if (`${year}-${rest}` >= first && `${year}-${rest}` <= last) return true;
  }
  return false;
}

const calendars = new Map<string, Intl.DateTimeFormat>();

function localDay(moment: string, timeZone: string): string {
  let calendar = calendars.get(timeZone);
  // The locale en-CA writes days as YYYY-MM-DD.
  calendar ??= new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  calendars.set(timeZone, calendar);
  return calendar.format(Date.parse(moment));
}

function same(field: string, value: Plain | readonly number[], candidate: Plain): boolean {
  if (typeof value === 'object') return value.includes(candidate as number);
  return field === 'email' ? fold(value as string) === fold(candidate as string) : value === candidate;
}

/**
 * Converts each letter to lower case separately, like PostgreSQL, so that its neighbours do not
 * matter.
 */
function fold(text: string): string {
  return Array.from(text, (letter) => letter.toLowerCase()).join('');
}

/**
 * Returns the matches in the order of the sort keys, with nulls last and ties in the order of
 * contact_id.
 */
export function sorted(contacts: readonly StoredContact[], keys: readonly ModelSort[], world: World): StoredContact[] {
  return contacts.toSorted((a, b) => {
    for (const { field, descending } of keys) {
      const order = compare(valueOf(a, field, world) as Plain | null, valueOf(b, field, world) as Plain | null);
      if (order === 'null first') return 1;
      if (order === 'null second') return -1;
      if (order !== 0) return descending ? -order : order;
    }
    return a.contact_id - b.contact_id;
  });
}

function compare(a: Plain | null, b: Plain | null): number | 'null first' | 'null second' {
  if (a === b) return 0;
  if (a === null) return 'null first';
  if (b === null) return 'null second';
  // PostgreSQL sorts by code points. UTF-8 bytes have that order, and UTF-16 units do not.
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
  return a < b ? -1 : 1;
}
