import { importLimits } from '@roster/contract';
import { tryExactJson } from '#platform/http/json/parse-json.ts';
import type { FoundColumn } from '#platform/database/schema/tables/imports.ts';
import { ImportFailure } from '../store/import-failure.ts';
import { listKey, listNamesIn, maxListNames } from './list-names.ts';

/** Returns true for a column whose cells must be read before its meaning is complete. */
export function isSpecial({ meaning }: FoundColumn): boolean {
  return meaning === 'json' || meaning === 'list_names';
}

/** Collects the keys in JSON cells, and the names of lists. */
export class CellSurvey {
  /** The keys in JSON cells, by the header of their column. */
  readonly jsonKeys = new Map<string, Set<string>>();
  /** The names of lists as the file spells them first, by {@link listKey}. */
  readonly listNames = new Map<string, string>();

  /**
   * Adds a cell of a special column. Returns the fields of its JSON object. Throws
   * `lists_not_created` when the file names too many lists.
   */
  add({ header, meaning, separator }: FoundColumn, value: unknown): readonly (readonly [string, unknown])[] {
    if (meaning === 'list_names') {
      for (const name of listNamesIn(value, separator!).names) this.#addList(name);
      return [];
    }
    const object = typeof value === 'string' ? tryExactJson(value) : value;
    if (typeof object !== 'object' || object === null || Array.isArray(object)) return [];
    let keys = this.jsonKeys.get(header);
    if (keys === undefined) this.jsonKeys.set(header, (keys = new Set()));
    for (const key of Object.keys(object)) keys.add(key);
    if (keys.size > importLimits.columns) {
      throw new ImportFailure(
        'header_invalid',
        `The JSON cells of the column "${header.slice(0, 64)}" have more than ${importLimits.columns} different keys.`,
      );
    }
    return Object.entries(object);
  }

  #addList(name: string): void {
    const key = listKey(name);
    if (this.listNames.has(key)) return;
    if (this.listNames.size === maxListNames) throw new ImportFailure('lists_not_created');
    this.listNames.set(key, name);
  }
}
