/** A header of a subscription while a person fills in the form. */
export interface HeaderDraft {
  /** Distinguishes the headers in the form. */
  readonly id: number;
  readonly name: string;
  readonly value: string;
}

/** Limit of the API. */
export const mostHeaders = 50;

let lastId = 0;

/** Makes a header without a value. */
export function newHeader(name = ''): HeaderDraft {
  return { id: ++lastId, name, value: '' };
}

/** Returns the headers as the API takes them. */
export function toHeaders(drafts: readonly HeaderDraft[]): { name: string; value: string }[] {
  return drafts.map(({ name, value }) => ({ name, value }));
}
