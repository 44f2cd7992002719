import { createContext, useContext } from 'react';
import type { ContactFields } from './model/fields.ts';

/** A list or segment by its number and name. */
export interface AudienceName {
  readonly audience_id: number;
  readonly name: string;
}

/** What filters of an account can use. */
export interface FilterSources {
  readonly accountId: number;
  readonly fields: ContactFields;
  readonly lists: readonly AudienceName[];
  readonly segments: readonly AudienceName[];
  /** Returns frequent values of an attribute that contain a text, the most frequent first. */
  readonly suggestValues?: (attributeId: number, text: string, signal: AbortSignal) => Promise<readonly string[]>;
}

const Sources = createContext<FilterSources | undefined>(undefined);

/** Gives filters and tables of contacts what they can use. */
export const FilterSourcesProvider = Sources.Provider;

/** Returns what filters of the account can use. */
export function useFilterSources(): FilterSources {
  const sources = useContext(Sources);
  if (sources === undefined) throw new Error('filters need a FilterSourcesProvider');
  return sources;
}
