import type { DataType } from '@roster/contract';

/** The kinds of slots: a number, or a text. */
export type SlotKind = 'number' | 'text';

type SlotNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20;

/** A column of `contacts` that repeats the values of an indexed attribute. */
export type SlotColumn = `${SlotKind}_${SlotNumber}`;

/** The slots in a row of `contacts`. Null: the account does not use the slot. */
export type SlotValues = {
  [column in SlotColumn]: (column extends `number_${number}` ? number : string) | null;
};

/** The slots that are in use; see the migration for the states. */
export interface AttributeSlotsTable {
  account_id: number;
  slot: SlotColumn;
  attribute_id: number;
  data_type: Exclude<DataType, 'long_text'>;
  state: 'filling' | 'filled' | 'released' | 'clearing';
  position: number;
  changed_at: Date;
}
