import { ActionIcon, Button, Group, Select, Text } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useTexts } from '#texts/use-texts.ts';
import { ConditionRow } from './condition-row.tsx';
import styles from './filter.module.css';
import {
  changeCondition,
  changeGroup,
  countIncomplete,
  filterLimits,
  newCondition,
  newGroup,
  noFilter,
  type ConditionGroup,
  type Connective,
  type FilterModel,
} from './model/filter.ts';

/** Builds a filter from conditions in groups. */
export function FilterBuilder({
  filter,
  onChange,
}: {
  readonly filter: FilterModel;
  /** `typing`: the person is probably not done yet, so wait a moment. */
  readonly onChange: (filter: FilterModel, typing?: 'typing') => void;
}): ReactNode {
  const t = useTexts('filter');
  const builder = useRef<HTMLDivElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const incomplete = countIncomplete(filter);
  const addGroup = (): void => onChange({ ...filter, groups: [...filter.groups, newGroup()] });
  const addCondition = (): void => {
    const last = filter.groups.at(-1);
    if (last === undefined) addGroup();
    else onChange(changeGroup(filter, last.id, (group) => withCondition(group)));
  };
  /** Makes a change that removes a part, and gives the focus to what is next to it. */
  const remove: Remove = (change, removed) => {
    const ids = filter.groups.flatMap(({ conditions }) => conditions.map(({ id }) => id));
    const at = ids.indexOf(removed.at(0)!);
    const neighbour = ids[at + removed.length] ?? ids[at - 1];
    flushSync(() => onChange(change(filter)));
    const row = builder.current?.querySelector(`[data-condition="${neighbour}"]`);
    (row?.querySelector<HTMLElement>(':scope > button') ?? addButton.current)?.focus();
  };
  return (
    <div ref={builder} className={styles.builder}>
      {filter.groups.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('builder.start')}
        </Text>
      )}
      {filter.groups.map((group, at) => (
        <div key={group.id}>
          {at > 0 && (
            <ConnectiveSelect
              label={t('builder.combineGroups')}
              value={filter.connective}
              onChange={(connective) => onChange({ ...filter, connective })}
            />
          )}
          <GroupOfConditions
            group={group}
            isOnly={filter.groups.length === 1}
            onChange={(change, typing) => onChange(change(filter), typing)}
            onRemove={remove}
          />
        </div>
      ))}
      <Group gap="xs">
        <Button
          ref={addButton}
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          disabled={(filter.groups.at(-1)?.conditions.length ?? 0) >= filterLimits.conditions}
          onClick={addCondition}
        >
          {t('builder.addCondition')}
        </Button>
        {filter.groups.length > 0 && (
          <>
            <Button variant="subtle" disabled={filter.groups.length >= filterLimits.groups} onClick={addGroup}>
              {t('builder.addGroup')}
            </Button>
            <Button
              variant="subtle"
              color="gray"
              onClick={() => {
                flushSync(() => onChange(noFilter));
                addButton.current?.focus();
              }}
            >
              {t('builder.clear')}
            </Button>
          </>
        )}
        <Text size="xs" c="dimmed" role="status">
          {incomplete > 0 && t('builder.incomplete', { count: incomplete })}
        </Text>
      </Group>
    </div>
  );
}

type Change = (filter: FilterModel) => FilterModel;
/** `removed`: the ids of the conditions that the change removes. */
type Remove = (change: Change, removed: readonly number[]) => void;

function GroupOfConditions({
  group,
  isOnly,
  onChange,
  onRemove,
}: {
  readonly group: ConditionGroup;
  readonly isOnly: boolean;
  readonly onChange: (change: Change, typing?: 'typing') => void;
  readonly onRemove: Remove;
}): ReactNode {
  const t = useTexts('filter');
  return (
    <div className={styles.group} data-only={isOnly || undefined}>
      {group.conditions.map((condition, at) => (
        <div key={condition.id} className={styles.line}>
          <div className={styles.connective}>
            {at === 1 ? (
              <ConnectiveSelect
                label={t('builder.combine')}
                value={group.connective}
                onChange={(connective) =>
                  onChange((filter) => changeGroup(filter, group.id, (one) => ({ ...one, connective })))
                }
              />
            ) : (
              group.conditions.length > 1 && (
                <Text size="xs" c="dimmed" ta="center">
                  {t(at === 0 ? 'builder.where' : group.connective)}
                </Text>
              )
            )}
          </div>
          <ConditionRow
            condition={condition}
            onChange={(next, typing) => onChange((filter) => changeCondition(filter, condition.id, () => next), typing)}
            onRemove={() =>
              onRemove((filter) => changeCondition(filter, condition.id, () => undefined), [condition.id])
            }
          />
        </div>
      ))}
      {!isOnly && (
        <Group gap="xs" justify="space-between">
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<Plus size={12} aria-hidden />}
            disabled={group.conditions.length >= filterLimits.conditions}
            onClick={() => onChange((filter) => changeGroup(filter, group.id, withCondition))}
          >
            {t('builder.addCondition')}
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('builder.removeGroup')}
            onClick={() =>
              onRemove(
                (filter) => changeGroup(filter, group.id, () => undefined),
                group.conditions.map(({ id }) => id),
              )
            }
          >
            <Trash2 size={14} />
          </ActionIcon>
        </Group>
      )}
    </div>
  );
}

function withCondition(group: ConditionGroup): ConditionGroup {
  return { ...group, conditions: [...group.conditions, newCondition()] };
}

function ConnectiveSelect({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: Connective;
  readonly onChange: (connective: Connective) => void;
}): ReactNode {
  const t = useTexts('filter');
  return (
    <Select
      size="xs"
      w={72}
      aria-label={label}
      data={[
        { value: 'and', label: t('and') },
        { value: 'or', label: t('or') },
      ]}
      allowDeselect={false}
      value={value}
      onChange={(chosen) => onChange(chosen === 'or' ? 'or' : 'and')}
    />
  );
}
