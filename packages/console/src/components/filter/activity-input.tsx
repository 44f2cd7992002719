import { Group, MultiSelect, NumberInput, Select, TagsInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { numberSeparators } from '#components/values/number-text.ts';
import { useTexts } from '#texts/use-texts.ts';
import { activityChannels, activityKinds, whenOperations, type ActivitySelection } from './model/activity.ts';
import { filterLimits, withWhenOperation, type Condition } from './model/filter.ts';
import { TimeInput } from './time-input.tsx';

/** The parts of a condition on activities: how often, what, where, when, and with which message. */
export function ActivityInput({
  condition,
  onChange,
}: {
  readonly condition: Condition;
  readonly onChange: (condition: Condition, typing?: 'typing') => void;
}): ReactNode {
  const t = useTexts('filter');
  const { operation, values, selection = {} } = condition;
  const change = (next: ActivitySelection, typing?: 'typing'): void =>
    onChange({ ...condition, selection: withoutEmpty(next) }, typing);
  return (
    <Group gap="xs" align="flex-start">
      {operation !== 'never' && (
        <NumberInput
          {...numberSeparators()}
          size="xs"
          w={80}
          aria-label={t('activity.howOften')}
          placeholder={t('activity.howOften')}
          min={operation === 'at_least' ? 1 : 0}
          max={1_000_000}
          allowDecimal={false}
          allowNegative={false}
          value={typeof values[0] === 'number' ? values[0] : ''}
          onChange={(given) => onChange({ ...condition, values: typeof given === 'number' ? [given] : [] }, 'typing')}
        />
      )}
      <MultiSelect
        size="xs"
        miw={150}
        aria-label={t('activity.what')}
        placeholder={selection.activity === undefined ? t('activity.anything') : ''}
        data={activityKinds.map((value) => ({ value, label: t(`activity.kinds.${value}`) }))}
        hidePickedOptions
        value={[...(selection.activity ?? [])]}
        onChange={(activity) => change({ ...selection, activity })}
      />
      <MultiSelect
        size="xs"
        miw={150}
        aria-label={t('activity.channel')}
        placeholder={selection.channel === undefined ? t('activity.anyChannel') : ''}
        data={activityChannels.map((value) => ({ value, label: t(`activity.channels.${value}`) }))}
        hidePickedOptions
        value={[...(selection.channel ?? [])]}
        onChange={(channel) => change({ ...selection, channel })}
      />
      <When condition={condition} selection={selection} onChange={change} />
      <Messages selection={selection} onChange={change} />
    </Group>
  );
}

interface PartProps {
  readonly selection: ActivitySelection;
  readonly onChange: (selection: ActivitySelection, typing?: 'typing') => void;
}

/** Messages by their names or by their numbers. */
function Messages({ selection, onChange }: PartProps): ReactNode {
  const t = useTexts('filter');
  const { message_id: ids, message_name: names, ...rest } = selection;
  const [kind, setKind] = useState<'any' | 'name' | 'id'>(
    ids !== undefined ? 'id' : names !== undefined ? 'name' : 'any',
  );
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Select
        size="xs"
        w={190}
        aria-label={t('activity.message')}
        allowDeselect={false}
        data={[
          { value: 'any', label: t('activity.anyMessage') },
          { value: 'name', label: t('activity.messageName') },
          { value: 'id', label: t('activity.messageNumber') },
        ]}
        value={kind}
        onChange={(chosen) => {
          setKind(chosen === 'name' || chosen === 'id' ? chosen : 'any');
          onChange(rest);
        }}
      />
      {kind !== 'any' && (
        <TagsInput
          key={kind}
          size="xs"
          miw={170}
          aria-label={t(kind === 'id' ? 'activity.messageNumber' : 'activity.messageName')}
          placeholder={(ids ?? names) === undefined ? t('builder.valuesHint') : ''}
          splitChars={kind === 'id' ? [',', ';', ' '] : []}
          maxTags={filterLimits.values}
          value={(ids ?? names ?? []).map(String)}
          onChange={(tags) =>
            onChange({
              ...rest,
              ...(kind === 'id' ? { message_id: tags.map(Number).filter(isMessageId) } : { message_name: tags }),
            })
          }
        />
      )}
    </Group>
  );
}

const isMessageId = (id: number): boolean => Number.isSafeInteger(id) && id >= 0;

function When({ condition, selection, onChange }: PartProps & { readonly condition: Condition }): ReactNode {
  const t = useTexts('filter');
  const { when, ...rest } = selection;
  return (
    <Group gap="xs" align="flex-start">
      <Select
        size="xs"
        w={150}
        aria-label={t('activity.whenLabel')}
        allowDeselect={false}
        data={[
          { value: 'any', label: t('activity.anyTime') },
          ...whenOperations.map((value) => ({ value, label: t(`activity.whenChoices.${value}`) })),
        ]}
        value={when?.operation ?? 'any'}
        onChange={(chosen) => {
          if (chosen === null) return;
          onChange(chosen === 'any' ? rest : { ...rest, when: withWhenOperation(when, chosen) });
        }}
      />
      {when !== undefined && (
        <TimeInput
          key={when.operation}
          field={{ type: 'datetime' }}
          condition={{ id: condition.id, field: '', operation: when.operation, values: when.values }}
          onChange={(values, typing) => onChange({ ...rest, when: { ...when, values } }, typing)}
        />
      )}
    </Group>
  );
}

/** An empty part means any, and is left out. */
function withoutEmpty(selection: ActivitySelection): ActivitySelection {
  const parts = Object.entries(selection).filter(
    ([, part]) => part !== undefined && !(Array.isArray(part) && part.length === 0),
  );
  return Object.fromEntries(parts);
}
