import type { Import } from '@roster/client';
import type { KnownAttribute } from '../mapping/suggest.ts';
import type { PreviewColumn } from '../mapping/column-choice.ts';
import type { Utf8Findings } from './utf8-scan.ts';

/** Why a file cannot be previewed. Each has a text in `imports.preview.faults`. */
export type PreviewFault = 'empty' | 'spreadsheet' | 'other' | 'array' | 'encoding' | 'unreadable';

/** What the preview of a file is made from. */
export interface PreviewRequest {
  readonly file: File;
  /** Chosen by the person; undefined to detect it. */
  readonly encoding: Import['encoding'] | undefined;
  readonly delimiter: Import['delimiter'] | undefined;
  readonly attributes: readonly KnownAttribute[];
  /** The mapping of an earlier import. */
  readonly earlier: Import['given_columns'] | undefined;
}

/** The beginning of a file. */
export interface Preview {
  readonly format: 'csv' | 'ndjson';
  readonly encoding: NonNullable<Import['encoding']>;
  /** The encoding is only likely, because the bytes are not UTF-8. */
  readonly isGuessed: boolean;
  readonly delimiter: Import['delimiter'];
  readonly columns: readonly PreviewColumn[];
  /** The first rows. Long cells are shortened. */
  readonly rows: readonly (readonly string[])[];
  /** True if the file ends after its header. */
  readonly hasOnlyHeader: boolean;
  /** NDJSON: how many of the first lines are not JSON objects. CSV: 0. */
  readonly damagedLines: number;
  readonly preset: { readonly id: NonNullable<Import['preset']>; readonly title: string } | undefined;
  /** Channels that the preset opts everybody out of. */
  readonly optOut: Import['opt_out'];
}

/** What the worker says: the preview, then whether the whole file is valid UTF-8. */
export type PreviewAnswer =
  | { readonly preview: Preview }
  | { readonly fault: PreviewFault }
  | { readonly utf8: Utf8Findings };
