import { useMemo } from 'react';
import type { TFunction } from 'i18next';
import { formatNumber } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';
import type { FilterWords } from './model/describe-filter.ts';
import type { FieldType, OperationName } from './model/field-types.ts';
import { activityField, isFixedField, type ContactFields } from './model/fields.ts';
import type { ConditionValue } from './model/filter.ts';
import { activityText } from './activity-words.ts';
import { timeLabel } from './time-label.ts';
import { useFilterSources, type AudienceName, type FilterSources } from './filter-sources.tsx';

type Words = TFunction<'filter'>;

/** Returns the name of a field as people read it. Attributes have their own names. */
export function fieldLabel(t: Words, name: string, { primaryKey }: Pick<ContactFields, 'primaryKey'>): string {
  if (name === 'identity' && primaryKey !== 'EMAIL' && primaryKey !== 'MOBILE') return primaryKey;
  if (name === activityField) return t('activity.field');
  if (isFixedField(name)) return t(`fields.${name}`);
  return derivedLabel(t, name) ?? name;
}

/** Returns the name of a derived attribute; undefined for another field. */
export function derivedLabel(t: Words, name: string): string | undefined {
  const [prefix, first, second] = name.split('.');
  if (prefix !== 'activity' || first === undefined) return undefined;
  const text = t as unknown as (key: string, values?: object) => string;
  if (second === undefined) return text(`derived.all.${first}`);
  return text('derived.onChannel', {
    channel: text(`derived.channels.${first}`),
    what: text(`derived.each.${second}`),
  });
}

/** Returns the name of an operation as it is read between a field and its value. */
export function operationLabel(t: Words, type: FieldType, operation: OperationName): string {
  if (type === 'activity') return t(`activity.often.${operation as 'at_least' | 'at_most' | 'exactly' | 'never'}`);
  const kind =
    type === 'list' || type === 'segment' ? 'audience' : type === 'date' || type === 'datetime' ? 'date' : 'number';
  const groups = [`operations.${kind}.${operation}`, `operations.text.${operation}`];
  return (t as unknown as (keys: readonly string[]) => string)(groups);
}

/** Returns a value of a condition as people read it. */
function valueLabel(t: Words, sources: FilterSources, name: string, value: ConditionValue): string {
  const type = sources.fields.byName.get(name)?.type;
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (type === 'list') return audienceName(t, sources.lists, value);
  if (type === 'segment') return audienceName(t, sources.segments, value);
  if (type === 'number' && typeof value === 'number') return formatNumber(value, { maximumFractionDigits: 20 });
  if ((type === 'date' || type === 'datetime') && typeof value === 'string') return timeLabel(t, value);
  if (type === 'contact_type') return contactTypeLabel(t, String(value));
  return type === 'text' ? t('quoted', { value }) : String(value);
}

function audienceName(t: Words, audiences: readonly AudienceName[], id: ConditionValue): string {
  const found = audiences.find(({ audience_id: one }) => one === Number(id));
  return found === undefined ? t('unknownAudience', { id }) : t('quoted', { value: found.name });
}

const contactTypes = ['anonymous', 'identified', 'unconfirmed', 'confirmed', 'blacklisted'] as const;

/** Returns the options for contact types. */
export function contactTypeOptions(t: Words): { value: string; label: string }[] {
  return contactTypes.map((value) => ({ value, label: t(`contactTypes.${value}`) }));
}

/** Returns the name of a contact type. */
export function contactTypeLabel(t: Words, value: string): string {
  const type = contactTypes.find((one) => one === value.toLowerCase());
  return type === undefined ? value : t(`contactTypes.${type}`);
}

/** Returns the words that describe filters of the account. */
export function useFilterWords(): FilterWords {
  const t = useTexts('filter');
  const sources = useFilterSources();
  return useMemo(
    () => ({
      everyone: t('everyone'),
      and: t('and'),
      or: t('or'),
      value: (name, value) => valueLabel(t, sources, name, value),
      condition(name, operation, values) {
        const field = fieldLabel(t, name, sources.fields);
        const word = operationLabel(t, sources.fields.byName.get(name)?.type ?? 'text', operation);
        return t(values === '' ? 'conditionWithoutValue' : 'condition', { field, operation: word, values });
      },
      activities: (operation, times, selection) => activityText(t, operation, times, selection),
    }),
    [t, sources],
  );
}
