import { Checkbox } from '@mantine/core';
import { createContext, useContext, useMemo, useState, type ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import { noFilter, type FilterModel } from '#components/filter/model/filter.ts';
import { contactIdOf } from './contact-search.ts';
import type { ContactTableRow } from './table/use-contact-rows.ts';

/** The contacts that are selected in a table: single contacts, or everyone who matches. */
export type Selection = { readonly by: 'ids'; readonly ids: ReadonlySet<number> } | { readonly by: 'everyone' };

/** A selection, and how to change it. */
export interface SelectionState {
  readonly selection: Selection;
  readonly isSelected: (id: number) => boolean;
  readonly toggle: (ids: readonly number[], isOn: boolean) => void;
  readonly selectEveryone: () => void;
  readonly clear: () => void;
}

/** The service takes at most this number of single contacts. */
export const selectedContactsLimit = 10_000;

const none: Selection = { by: 'ids', ids: new Set() };

/** Keeps the selection of a table. It is cleared when `key` changes, such as the filter. */
export function useSelection(key: string): SelectionState {
  const [state, setState] = useState<{ key: string; selection: Selection }>({ key, selection: none });
  const selection = state.key === key ? state.selection : none;
  return useMemo(
    () => ({
      selection,
      isSelected: (id) => selection.by === 'everyone' || selection.ids.has(id),
      toggle(ids, isOn) {
        const next = new Set(selection.by === 'ids' ? selection.ids : []);
        for (const id of ids) {
          if (isOn) next.add(id);
          else next.delete(id);
        }
        setState({ key, selection: { by: 'ids', ids: next } });
      },
      selectEveryone: () => setState({ key, selection: { by: 'everyone' } }),
      clear: () => setState({ key, selection: none }),
    }),
    [key, selection],
  );
}

/** Largest number of values of one condition. */
const valuesPerCondition = 1000;

/** Returns a filter for the selected contacts. `filter`: the filter of the table. */
export function filterOfSelection(selection: Selection, filter: FilterModel): FilterModel {
  if (selection.by === 'everyone') return filter;
  const ids = [...selection.ids];
  const chunks = Array.from({ length: Math.ceil(ids.length / valuesPerCondition) }, (_, at) =>
    ids.slice(at * valuesPerCondition, (at + 1) * valuesPerCondition),
  );
  return {
    ...noFilter,
    groups: [
      {
        id: 0,
        connective: 'or',
        conditions: chunks.map((values, id) => ({ id, field: 'contact_id', operation: 'equals', values })),
      },
    ],
  };
}

const Context = createContext<SelectionState | undefined>(undefined);

/** Gives the check boxes of a table its selection. */
export const SelectionProvider = Context.Provider;

function useSelectionState(): SelectionState {
  const state = useContext(Context);
  if (state === undefined) throw new Error('check boxes of rows need a SelectionProvider');
  return state;
}

/** The check box of a row, for the mouse. */
export function RowCheckbox({
  row: { values },
  name,
}: {
  readonly row: ContactTableRow;
  readonly name: string;
}): ReactNode {
  const t = useTexts('filter');
  const { isSelected, toggle } = useSelectionState();
  if (values === undefined) return null;
  const id = contactIdOf(values);
  return (
    <Checkbox
      size="xs"
      // The Tab key would need a step for each row. The Space key selects the row with the focus.
      tabIndex={-1}
      aria-label={t('table.select', { name: values[name] ?? id })}
      checked={isSelected(id)}
      onChange={(event) => toggle([id], event.currentTarget.checked)}
    />
  );
}

/** The check box in the header: all loaded rows. */
export function LoadedRowsCheckbox({ rows }: { readonly rows: readonly ContactTableRow[] }): ReactNode {
  const t = useTexts('filter');
  const { selection, isSelected, toggle, clear } = useSelectionState();
  const ids = rows
    .flatMap(({ values }) => (values === undefined ? [] : contactIdOf(values)))
    .slice(0, selectedContactsLimit);
  const count = ids.filter((id) => isSelected(id)).length;
  const isAll = selection.by === 'everyone' || (ids.length > 0 && count === ids.length);
  return (
    <Checkbox
      size="xs"
      aria-label={t('table.selectAll')}
      checked={isAll}
      indeterminate={!isAll && count > 0}
      onChange={(event) => (event.currentTarget.checked ? toggle(ids, true) : clear())}
    />
  );
}
