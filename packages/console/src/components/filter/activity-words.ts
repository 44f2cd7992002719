import type { TFunction } from 'i18next';
import type { ActivitySelection, When } from './model/activity.ts';
import type { OperationName } from './model/field-types.ts';
import type { ConditionValue } from './model/filter.ts';
import { timeLabel } from './time-label.ts';

type Words = TFunction<'filter'>;

/**
 * Describes a condition on activities, such as `opened at least once on e-mail in the last 30
 * days`.
 */
export function activityText(
  t: Words,
  operation: OperationName,
  times: ConditionValue | undefined,
  { activity = [], channel = [], message_id: ids = [], message_name: names = [], when }: ActivitySelection,
): string {
  const or = (texts: readonly string[]): string =>
    texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} ${t('or')} ${texts.at(-1)}`;
  const what = activity.length === 0 ? t('activity.any') : or(activity.map((kind) => t(`activity.did.${kind}`)));
  const channels = or(channel.map((one) => t(`activity.channelNames.${one}`)));
  const messages = or([...names.map((value) => t('quoted', { value })), ...ids.map(String)]);
  const details = [
    channels === '' ? '' : t('activity.onChannel', { channels }),
    messages === '' ? '' : t('activity.ofMessage', { messages }),
    when === undefined ? '' : whenText(t, when, or),
  ].join('');
  const often = typeof times === 'number' ? t('activity.times', { count: times }) : String(times ?? '');
  return t(`activity.sentence.${operation as 'at_least' | 'at_most' | 'exactly' | 'never'}`, { what, often, details });
}

function whenText(t: Words, { operation, values }: When, or: (texts: readonly string[]) => string): string {
  const texts = values.map((value) => timeLabel(t, String(value)));
  const [value = '', second = ''] = texts;
  return operation === 'between'
    ? t('activity.when.between', { value, second })
    : t(`activity.when.${operation}`, { value: operation === 'equals' ? or(texts) : value });
}
