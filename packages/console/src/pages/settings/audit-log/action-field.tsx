import { Select, type ComboboxItem, type ComboboxItemGroup } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import { auditActions, useActionName } from './audit-words.ts';

/** The action in a form of the audit log: one of them, or all that concern the same kind of object. */
export function ActionField({ name, value }: { readonly name: string; readonly value: string | undefined }): ReactNode {
  const t = useTexts('settings');
  const words = useTexts('auditLog');
  const nameOf = useActionName();
  const groups = useMemo(() => {
    const byNoun = Map.groupBy(auditActions, (action) => action.slice(0, action.indexOf('.')));
    const known = [...byNoun].map(([noun, actions]) => {
      const group = words(`nouns.${noun}` as 'nouns.list');
      const everything = { value: `${noun}.`, label: words('all', { noun: group }) };
      return { group, items: [everything, ...actions.map((action) => ({ value: action, label: nameOf(action) }))] };
    });
    const isKnown = value === undefined || known.some(({ items }) => items.some((item) => item.value === value));
    // The address can have an action of a newer service.
    return isKnown ? known : [{ group: '', items: [{ value, label: value }] }, ...known];
  }, [value, words, nameOf]);
  return (
    <Select
      name={name}
      label={t('auditLog.action')}
      placeholder={t('auditLog.anyAction')}
      searchable
      clearable
      data={groups}
      defaultValue={value ?? null}
      filter={({ options, search }) => findActions(options as ComboboxItemGroup<ComboboxItem>[], search)}
      w={206}
      comboboxProps={{ width: 340, position: 'bottom-start' }}
    />
  );
}

/** Finds actions by their words, by the kind of object, and by their names in the API. */
function findActions(
  groups: readonly ComboboxItemGroup<ComboboxItem>[],
  search: string,
): ComboboxItemGroup<ComboboxItem>[] {
  const wanted = search.trim().toLowerCase();
  return groups.flatMap(({ group, items }) => {
    const found = items.filter(({ value, label }) =>
      [typeof group === 'string' ? group : '', value, label].join(' ').toLowerCase().includes(wanted),
    );
    return found.length === 0 ? [] : [{ group, items: found }];
  });
}
