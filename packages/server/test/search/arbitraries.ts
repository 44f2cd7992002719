import { contactTypes } from '@roster/contract';
import fc from 'fast-check';
import { contact, type TestContact } from './account.ts';
import { activityMoments } from './activity-arbitraries.ts';
import type { ModelCondition, ModelFilter, ModelSelection, ModelSort, Plain } from './oracle.ts';

/**
 * Texts that a search may confuse: letter case, wildcards, quotes, escapes, blanks, letters of two
 * UTF-16 units.
 */
const texts = [
  'Pune',
  'pune',
  'PUNE',
  'Pun',
  'e',
  'École',
  'école',
  'ÉCOLE',
  'Жук',
  'жук',
  'Ａ',
  'ａ',
  'ñ',
  'Ñandú',
  '\u{10400}x',
  '\u{10428}x',
  '100%',
  '%',
  '%%',
  '_',
  'a_b',
  'axb',
  'a\\b',
  '\\',
  '\\%',
  '.*',
  '^a',
  'a|b',
  '[a]',
  '(',
  "'",
  "''",
  '"q"',
  '$1',
  '{"5":"Pune"}',
  '',
  ' ',
  '  Pune',
  'Pune ',
  'a\nb',
  '\t',
  '\uffff',
  '😀',
  '😀😀',
  '12',
  '1e3',
  'true',
  'null',
  'anonymous/',
  'Z',
  'a',
  'ab',
  // Longer than the prefix that an index holds, and with the same prefix.
  'x'.repeat(1000),
  `${'x'.repeat(999)}y`,
  'x'.repeat(600),
  'X'.repeat(130),
  '\u{1F600}'.repeat(1000),
];
const numbers = [
  0,
  1,
  -1,
  1.5,
  30,
  31,
  0.1,
  -0.1,
  1e21,
  1e-7,
  2 ** 53,
  5e-324,
  1.7976931348623157e308,
  -1.7976931348623157e308,
];
const dates = [
  '0001-01-01',
  '1969-12-31',
  '1970-01-01',
  '1985-03-29',
  '1990-03-28',
  '2000-02-29',
  '2024-01-31',
  '2024-02-01',
  '2026-03-15',
  '2026-04-02',
  '9999-12-31',
];
const moments = [
  '2023-12-31T23:59:59.999Z',
  '2024-01-01T00:00:00.000Z',
  '2024-01-01T00:00:00.001Z',
  '2024-01-01T18:30:00.000Z',
  '2024-06-30T12:00:00.000Z',
  '2025-01-01T00:00:00.000Z',
  '2026-11-20T05:33:49.123Z',
  // Around the days of the clock changes in Berlin, which have 23 and 25 hours.
  '2026-03-28T22:59:59.999Z',
  '2026-03-28T23:00:00.000Z',
  '2026-03-29T21:59:59.999Z',
  '2026-03-29T22:00:00.000Z',
  '2026-10-24T22:00:00.000Z',
  '2026-10-25T22:59:59.999Z',
  '2026-10-25T23:00:00.000Z',
  // Around the day that Samoa skipped, and the day that begins at one o'clock in Cairo.
  '2011-12-30T09:59:59.999Z',
  '2011-12-30T10:00:00.000Z',
  '2026-04-23T21:59:59.999Z',
  '2026-04-23T22:00:00.000Z',
];
/** Moments in summaries, also around the beginning of the windows of 30 and 90 days. */
const summaryMoments = [
  '2026-03-28T23:10:00.000Z',
  '2026-03-28T23:10:00.001Z',
  '2026-03-27T12:00:00.000Z',
  '2026-02-26T23:59:59.999Z',
  '2026-02-27T00:00:00.000Z',
  '2026-02-26T22:59:59.999Z',
  '2026-02-26T23:00:00.000Z',
  '2026-02-26T00:00:00.000Z',
  '2026-02-25T23:59:59.999Z',
  '2025-12-28T22:59:59.999Z',
  '2025-12-28T23:00:00.000Z',
  '2025-12-28T00:00:00.000Z',
  '2025-12-27T23:59:59.999Z',
  '2024-06-30T12:00:00.000Z',
];
const smallCounts = [-1, 0, 1, 1.5, 2, 3];
const relativeDays = [
  'today',
  'yesterday',
  'tomorrow',
  '-1 day',
  '-30 days',
  '+2 weeks',
  '-1 month',
  '+7 months',
  '-2 years',
  'this week',
  'this month',
  'last month',
  'this year',
  'last year',
];
/** Relative values of a field, in the form in which segments store them. */
export const relativeValues = (kind: string): readonly string[] =>
  kind === 'date' ? relativeDays : kind === 'datetime' ? [...relativeDays, 'now', '-6 hours', '+36 hours'] : [];
/** The moment of the searches, shortly after the beginning of a day in Berlin with 23 hours. */
export const now = new Date('2026-03-28T23:30:00.000Z');
const lengths = ['1 day', '2 days', '30 days', '3 weeks', '7 months', '1 year', '3 years', '36 hours', '1 hour'];
const daysOfYear = ['01-01', '02-29', '12-31', 'today', '+1 day', '-3 days', 'this month', 'last month', 'last year'];
/** Days, as values of conditions on date-time fields. */
export const days = [
  '0001-01-01',
  '2011-12-29',
  '2011-12-30',
  '2011-12-31',
  '2023-12-31',
  '2024-01-01',
  '2024-01-02',
  '2024-06-30',
  '2026-03-28',
  '2026-03-29',
  '2026-03-30',
  '2026-04-23',
  '2026-04-24',
  '2026-10-24',
  '2026-10-25',
  '2026-10-26',
  '9999-12-31',
];
const addresses = ['A.b@x.in', 'a.B@x.in', 'c%d@x.in', 'c_d@x.in', 'z@x.in', "o'hara@y.example", 'ab@x.in.example'];
const phones = ['919812345678', '919812345679', '14155550100', '123456', '999999999999999'];
// The last ones of both are also identities, see `identityAt`.
const emails = [...addresses, 'user1@example.com', 'USER3@example.com'];
const mobiles: readonly string[] = [...phones, '919800000001'];

/** The canonical values of a field, and the spellings that a caller may use for a value. */
interface FieldModel {
  readonly values: readonly Plain[];
  /** Determines the operations that the field has. */
  readonly kind: 'text' | 'caseless' | 'ordered' | 'date' | 'datetime' | 'equality' | 'nothing' | 'list' | 'segment';
  readonly category: 'config' | 'audience' | 'attribute' | 'derived';
  readonly spellings?: (value: Plain) => readonly Plain[];
}

const numeric = (value: Plain): Plain[] => [value, String(value), ` ${String(value)} `];
const flag = (value: Plain): Plain[] => [value, String(value), value === true ? 'YES' : 'No', value === true ? 1 : 0];
const anyCase = (value: Plain): Plain[] => [value, String(value).toUpperCase(), String(value).toLowerCase()];
export const moment = (value: Plain): Plain[] => {
  if (!/^\d{4}/.test(String(value))) return relativeSpellings(value);
  if (String(value).length === 10) return daySpellings(value);
  const at = new Date(String(value));
  const inIndia = new Date(at.getTime() + 330 * 60_000).toISOString().replace('Z', '+05:30');
  return [value, inIndia, String(value).replace('T', ' ')];
};
const relativeSpellings = (value: Plain): Plain[] => [
  value,
  String(value).toUpperCase(),
  ` ${String(value).replace(' ', '  ')} `,
];
const date = (value: Plain): Plain[] => (/^\d{4}/.test(String(value)) ? daySpellings(value) : relativeSpellings(value));
const daySpellings = (value: Plain): Plain[] => [
  value,
  String(value).split('-').reverse().join('-'),
  String(value).split('-').reverse().join('/'),
];

/** Every field of the tests, by canonical name. */
export const fieldModels: Readonly<Record<string, FieldModel>> = {
  contact_id: { values: [], kind: 'ordered', category: 'config', spellings: numeric },
  contact_type: { values: contactTypes, kind: 'equality', category: 'config', spellings: anyCase },
  identity: { values: [], kind: 'caseless', category: 'config' },
  email: { values: emails, kind: 'text', category: 'config', spellings: anyCase },
  mobile: { values: mobiles, kind: 'text', category: 'config' },
  created_at: { values: moments, kind: 'datetime', category: 'config', spellings: moment },
  updated_at: { values: moments, kind: 'datetime', category: 'config', spellings: moment },
  email_opted_out: { values: [true, false], kind: 'equality', category: 'config', spellings: flag },
  sms_opted_out: { values: [true, false], kind: 'equality', category: 'config', spellings: flag },
  whatsapp_opted_out: { values: [true, false], kind: 'equality', category: 'config', spellings: flag },
  list_id: { values: [1, 2, 3, 4, 5], kind: 'list', category: 'audience', spellings: numeric },
  segment_id: { values: [], kind: 'segment', category: 'audience', spellings: numeric },
  CITY: { values: texts, kind: 'caseless', category: 'attribute' },
  NICKNAME: { values: texts, kind: 'caseless', category: 'attribute' },
  CARD: { values: texts, kind: 'caseless', category: 'attribute' },
  NOTES: { values: texts, kind: 'nothing', category: 'attribute' },
  AGE: { values: numbers, kind: 'ordered', category: 'attribute', spellings: numeric },
  SECRET: { values: numbers, kind: 'ordered', category: 'attribute', spellings: numeric },
  VIP: { values: [true, false], kind: 'equality', category: 'attribute', spellings: flag },
  BIRTH_DATE: {
    values: dates,
    kind: 'date',
    category: 'attribute',
    spellings: date,
  },
  LAST_SEEN: { values: moments, kind: 'datetime', category: 'attribute', spellings: moment },
  'activity.last_seen': { values: summaryMoments, kind: 'datetime', category: 'derived', spellings: moment },
  'activity.email.last_open': { values: summaryMoments, kind: 'datetime', category: 'derived', spellings: moment },
  'activity.email.last_sent': { values: activityMoments, kind: 'datetime', category: 'derived', spellings: moment },
  'activity.sent_90_days': { values: smallCounts, kind: 'ordered', category: 'derived', spellings: numeric },
  'activity.sms.sent_30_days': { values: smallCounts, kind: 'ordered', category: 'derived', spellings: numeric },
  'activity.open_90_days': { values: smallCounts, kind: 'ordered', category: 'derived', spellings: numeric },
  'activity.engagement_score': {
    values: [...smallCounts, 5, 10, 20, 99.5, 100],
    kind: 'ordered',
    category: 'derived',
    spellings: numeric,
  },
};

/** The fields by which contacts can be sorted. */
export const sortableFields = Object.keys(fieldModels).filter(
  (name) => !['list_id', 'segment_id', 'NOTES'].includes(name),
);

/**
 * Generates contacts with many equal values and many nulls. The position determines the identity,
 * so identities are unique.
 */
export function contacts(primaryKey: string): fc.Arbitrary<TestContact[]> {
  const absent = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { freq: 3 });
  const attributes = Object.entries(fieldModels).filter(([, model]) => model.category === 'attribute');
  const one = fc.record({
    anonymous: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
    contact_type: fc.constantFrom(...contactTypes),
    email: absent(emails),
    mobile: absent(mobiles),
    // In accounts keyed by EMAIL or MOBILE, most addresses are the identities.
    differs: fc.boolean(),
    attributes: fc.record(Object.fromEntries(attributes.map(([name, model]) => [name, absent(model.values)]))),
    lists: fc.subarray([1, 2, 3, 4]),
    activities: fc.array(
      fc.record({
        channel: fc.constantFrom('email' as const, 'sms' as const),
        kind: fc.constantFrom('open' as const, 'click' as const),
        at: fc.constantFrom(...summaryMoments),
      }),
      { maxLength: 8 },
    ),
    email_opted_out: fc.boolean(),
    sms_opted_out: fc.boolean(),
    whatsapp_opted_out: fc.boolean(),
    created_at: fc.constantFrom(...moments),
    updated_at: fc.constantFrom(...moments),
  });
  return fc.array(one, { minLength: 150, maxLength: 150 }).map((all) =>
    all.map(({ anonymous, differs, ...parts }, index) => {
      const identity = anonymous ? null : identityAt(primaryKey, index);
      const isAddress = primaryKey === 'EMAIL' || primaryKey === 'MOBILE';
      const same = differs || identity === null || !isAddress ? {} : { [primaryKey.toLowerCase()]: identity };
      return contact(identity, { ...(parts as Partial<TestContact>), ...same });
    }),
  );
}

/** Returns an identity in the form in which it is stored. */
function identityAt(primaryKey: string, index: number): string {
  if (primaryKey === 'EMAIL') return `user${index}@example.com`;
  if (primaryKey === 'MOBILE') return String(919_800_000_000 + index);
  // Stored identities are trimmed, and never begin with the prefix of anonymous contacts, though
  // they may be close to it.
  return `${texts[index % texts.length]!.trim().replace('/', '0').slice(0, 200)}${index}`;
}

const whenOperations = [
  'in_last',
  'not_in_last',
  'equals',
  'less_than',
  'less_than_or_equal',
  'greater_than',
  'greater_than_or_equal',
  'between',
] as const;

/** Generates when activities happened, as the oracle and as the search take it. */
const when = fc
  .record({
    operation: fc.constantFrom(...whenOperations),
    length: fc.constantFrom(...lengths),
    some: fc.uniqueArray(fc.constantFrom(...activityMoments, ...days, ...relativeValues('datetime')), {
      minLength: 1,
      maxLength: 3,
    }),
    salt: fc.nat(),
  })
  .map(({ operation, length, some, salt }) => {
    const values = operation.includes('in_last') ? [length] : valuesFor(operation, 'occurred_at', some, ['', 0, 0]);
    const value = values.map((one, index) => pick(moment(one), salt + index));
    return {
      model: { operation, values },
      body: { operation: pick([operation, operation.toUpperCase()], salt), value: oneOrMany(value, salt) },
    };
  });

/** Generates conditions on activities. */
function activityCondition(): fc.Arbitrary<SpelledCondition> {
  const some = <T>(from: readonly T[]) =>
    fc.option(fc.uniqueArray(fc.constantFrom(...from), { minLength: 1, maxLength: 2 }), { nil: undefined, freq: 1 });
  return fc
    .record({
      operation: fc.constantFrom('at_least', 'at_least', 'at_most', 'exactly', 'never'),
      times: fc.constantFrom(0, 1, 1, 2, 3),
      activity: some<string>(['open', 'click', 'sent', 'bounce']),
      channel: some<string>(['email', 'sms', 'web_push']),
      message: fc.option(
        fc.oneof(
          fc.subarray([1, 2, 3, 4, 2 ** 53 - 1, 77], { minLength: 1 }).map((ids) => ({ message_id: ids })),
          fc
            .subarray(['Spring', 'Summer 100%', 'spring', 'An old name', 'Nothing'], { minLength: 1 })
            .map((names) => ({ message_name: names })),
        ),
        { nil: {}, freq: 1 },
      ),
      when: fc.option(when, { nil: undefined, freq: 1 }),
      salt: fc.nat(),
    })
    .map(({ operation, times, activity, channel, message, when, salt }): SpelledCondition => {
      const values = operation === 'never' ? [] : [operation === 'at_least' ? Math.max(times, 1) : times];
      const selection: ModelSelection = {
        ...(activity && { activity }),
        ...(channel && { channel }),
        ...message,
        ...(when && { when: when.model }),
      };
      const words = (list: readonly string[]) => list.map((word) => pick([word, word.toUpperCase()], salt));
      const ids = selection.message_id?.map((id) => pick<Plain>([id, String(id)], salt));
      return {
        model: { field: 'activity', operation, values, selection },
        body: {
          field: pick(['activity', 'ACTIVITY'], salt),
          ...(salt % 3 === 0 ? {} : { field_category: 'activity' }),
          operation,
          ...(values.length === 0 ? {} : { value: oneOrMany(values, salt) }),
          ...(activity && { activity: oneOrMany(words(activity), salt) }),
          ...(channel && { channel: oneOrMany(words(channel), salt >> 1) }),
          ...(ids && { message_id: oneOrMany(ids, salt >> 2) }),
          ...(selection.message_name && { message_name: oneOrMany(selection.message_name, salt >> 3) }),
          ...(when && { when: when.body }),
        },
      };
    });
}

/** A single value may be sent without an array. */
function oneOrMany<T>(values: readonly T[], salt: number): T | readonly T[] {
  return values.length === 1 && salt % 2 === 0 ? values[0]! : values;
}

/** A condition for the oracle, and its JSON for the search. */
interface SpelledCondition {
  readonly model: ModelCondition;
  readonly body: object;
}

const ordered = [
  'equals',
  'not_equals',
  'greater_than',
  'greater_than_or_equal',
  'less_than',
  'less_than_or_equal',
  'between',
  'is_null',
  'is_not_null',
] as const;
const times = [...ordered, 'in_last', 'not_in_last', 'in_next', 'anniversary', 'anniversary_in_next'] as const;
const text = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'is_null',
  'is_not_null',
] as const;

const operations = {
  text,
  caseless: [...text, 'equals_ignore_case', 'not_equals_ignore_case'],
  date: times,
  datetime: times,
  ordered,
  equality: ['equals', 'not_equals', 'is_null', 'is_not_null'],
  list: ['equals', 'not_equals', 'is_null', 'is_not_null'],
  segment: ['equals', 'not_equals'],
  nothing: ['is_null', 'is_not_null'],
} as const;

/** The fields of an account, with the values of its contacts. Conditions are generated from it. */
export interface Vocabulary {
  readonly primaryKey: string;
  readonly values: Readonly<Record<string, readonly Plain[]>>;
  readonly segments: ReadonlyMap<number, ModelFilter>;
}

/** Generates conditions on fields and on activities. */
function condition(vocabulary: Vocabulary): fc.Arbitrary<SpelledCondition> {
  return fc.oneof({ weight: 6, arbitrary: fieldCondition(vocabulary) }, { weight: 1, arbitrary: activityCondition() });
}

/** Generates conditions on any field that has values. */
function fieldCondition(vocabulary: Vocabulary): fc.Arbitrary<SpelledCondition> {
  const fields = Object.entries(fieldModels).filter(([name]) => (vocabulary.values[name] ?? []).length > 0);
  return fc.constantFrom(...fields).chain(([field, model]) => {
    const known = vocabulary.values[field]!;
    return fc
      .record({
        operation: fc.constantFrom(...operations[model.kind]),
        some: fc.array(fc.constantFrom(...known), { minLength: 1, maxLength: 4 }),
        piece: fc.tuple(fc.constantFrom(...known), fc.nat(3), fc.nat(4)),
        salt: fc.nat(),
        length: fc.constantFrom(...lengths),
        dayOfYear: fc.constantFrom(...daysOfYear),
        category: fc.boolean(),
      })
      .map(({ operation, some, piece, salt, length, dayOfYear, category }) => {
        const values = /in_last|in_next/.test(operation)
          ? [model.kind === 'date' || operation === 'anniversary_in_next' ? length.replace('hour', 'day') : length]
          : operation === 'anniversary'
            ? [dayOfYear]
            : valuesFor(operation, field, some, piece);
        const spell = model.spellings ?? ((value: Plain) => [value]);
        const spelled = values.map((value, index) => pick(spell(value), salt + index));
        const named = fieldNames(field, model, vocabulary.primaryKey);
        const { name, categories } = pick(named, salt);
        return {
          model: { field, operation, values },
          body: {
            field: pick([name, name.toLowerCase(), name.toUpperCase()], salt >> 2),
            ...(category ? { field_category: pick(categories, salt >> 3) } : {}),
            operation: pick([operation, operation.toUpperCase(), ` ${operation}`], salt >> 4),
            ...(values.length === 0 ? {} : { value: oneOrMany(spelled, salt) }),
          },
        };
      });
  });
}

function fieldNames(field: string, model: FieldModel, primaryKey: string) {
  if (field === 'email' || field === 'mobile') return [{ name: field, categories: ['config', 'attribute'] }];
  const custom = primaryKey !== 'EMAIL' && primaryKey !== 'MOBILE';
  const other = field === 'identity' && custom ? [{ name: primaryKey, categories: ['attribute'] }] : [];
  return [{ name: field, categories: [model.category] }, ...other];
}

function valuesFor(
  operation: string,
  field: string,
  some: readonly Plain[],
  [text, from, length]: readonly [Plain, number, number],
): readonly Plain[] {
  if (operation === 'is_null' || operation === 'is_not_null') return [];
  if (/equals/.test(operation)) return /ignore/.test(operation) ? some.map(swapCase) : some;
  if (operation === 'between') return [some[0]!, some.at(-1)!];
  if (!/contains|with/.test(operation)) return [some[0]!];
  // A part of a value, so that it often matches. It is never empty, because that is a fault.
  const letters = Array.from(String(text));
  const piece = letters.slice(from, from + length + 1).join('') || letters.slice(0, 2).join('') || 'e';
  return [field === 'mobile' ? piece : length % 2 === 0 ? piece.toUpperCase().replaceAll(/[^A-Z]/g, piece) : piece];
}

function swapCase(value: Plain, index: number): Plain {
  return index % 2 === 0 ? String(value).toLowerCase() : String(value).toUpperCase();
}

function pick<T>(choices: readonly T[], salt: number): T {
  return choices[salt % choices.length]!;
}

/** Maximum number of conditions on activities in a search, with its segments. */
const maxActivityConditions = 20;

function countActivities(filter: ModelFilter, segments: ReadonlyMap<number, ModelFilter>): number {
  return filter.groups
    .flatMap(({ conditions }) => conditions)
    .reduce((sum, { field, values, selection }) => {
      if (selection !== undefined) return sum + 1;
      if (field !== 'segment_id') return sum;
      return values.reduce<number>((all, id) => all + countActivities(segments.get(Number(id))!, segments), sum);
    }, 0);
}

/** Generates filters of up to three groups with up to four conditions. */
export function filter(vocabulary: Vocabulary): fc.Arbitrary<{ model: ModelFilter; body: object }> {
  const operator = fc.constantFrom('and' as const, 'or' as const);
  const group = fc.record({
    operator,
    conditions: fc.array(condition(vocabulary), { minLength: 1, maxLength: 4 }),
    silent: fc.boolean(),
  });
  const any = fc.record({ operator, groups: fc.array(group, { maxLength: 3 }) }).map(({ operator, groups }) => ({
    model: {
      operator: groups.length > 1 ? operator : 'and',
      groups: groups.map(({ operator, conditions }) => ({
        operator,
        conditions: conditions.map(({ model }) => model),
      })),
    },
    body: {
      ...(groups.length > 1 ? { filtering_criteria_operator: operator.toUpperCase() } : {}),
      filtering_criteria: groups.map(({ operator, conditions, silent }) => ({
        // `and` is the default.
        ...(operator === 'and' && silent ? {} : { condition_operator: operator }),
        condition_details: conditions.map(({ body }) => body),
      })),
    },
  }));
  return any.filter(({ model }) => countActivities(model, vocabulary.segments) <= maxActivityConditions);
}

/** Generates sortings of up to three keys. No key means the default order. */
export function sorting(primaryKey: string): fc.Arbitrary<readonly ModelSort[]> {
  const custom = primaryKey === 'EMAIL' || primaryKey === 'MOBILE' ? [] : [primaryKey];
  const key = fc.record({ field: fc.constantFrom(...sortableFields, ...custom), descending: fc.boolean() });
  return fc.array(key, { maxLength: 3 });
}

/** Returns the effective sort keys, and the JSON of the sorting. */
export function sortingBody(keys: readonly ModelSort[]): { sortKeys: readonly ModelSort[]; body: object } {
  if (keys.length === 0) return { sortKeys: [{ field: 'created_at', descending: true }], body: {} };
  const body = keys.map(({ field, descending }, index) => ({
    field: index % 2 === 0 ? field : field.toLowerCase(),
    ...(descending ? { direction: 'DESC' } : index % 2 === 0 ? {} : { direction: 'asc' }),
  }));
  return { sortKeys: keys, body: { sorting: body } };
}
