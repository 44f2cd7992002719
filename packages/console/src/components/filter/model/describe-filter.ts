import type { ActivitySelection } from './activity.ts';
import { arityOf, type OperationName } from './field-types.ts';
import type { ConditionValue, Connective, FilterModel } from './filter.ts';

/** The words of a description in one language. */
export interface FilterWords {
  readonly everyone: string;
  readonly and: string;
  readonly or: string;
  /** A value as people read it, such as the name of a list. */
  readonly value: (field: string, value: ConditionValue) => string;
  /** A condition on a field, such as `CITY is Pune`. `values` is empty without values. */
  readonly condition: (name: string, operation: OperationName, values: string) => string;
  /** A condition on activities, such as `opened at least once in the last 30 days`. */
  readonly activities: (
    operation: OperationName,
    times: ConditionValue | undefined,
    which: ActivitySelection,
  ) => string;
}

/** More values than this are cut off in a description. */
const shownValues = 5;

/** Describes a filter in one sentence, such as `CITY is Pune or Mumbai, and AGE is greater than 30`. */
export function describeFilter(filter: FilterModel, words: FilterWords): string {
  if (filter.groups.length === 0) return words.everyone;
  const groups = filter.groups.map(({ connective, conditions }) => {
    const texts = conditions.map(({ field, operation, values, selection }) =>
      selection === undefined
        ? words.condition(field, operation, valuesText(field, operation, values, words))
        : words.activities(operation, values[0], selection),
    );
    const text = joined(texts, connective, words);
    return texts.length > 1 && filter.groups.length > 1 ? `(${text})` : text;
  });
  return joined(groups, filter.connective, words);
}

function joined(texts: readonly string[], connective: Connective, words: FilterWords): string {
  return texts.join(` ${words[connective]} `);
}

function valuesText(
  field: string,
  operation: OperationName,
  values: readonly ConditionValue[],
  words: FilterWords,
): string {
  const shown = values.slice(0, shownValues).map((value) => words.value(field, value));
  const more = values.length - shown.length;
  const connective = arityOf(operation) === 'two' ? words.and : words.or;
  const last = more > 0 ? `${more} …` : shown.pop();
  return shown.length === 0 ? (last ?? '') : `${shown.join(', ')} ${connective} ${last}`;
}
