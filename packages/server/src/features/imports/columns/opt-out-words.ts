import type { FoundColumn } from '#platform/database/schema/tables/imports.ts';

/** What a cell of an opt-out column does. `fail`: its meaning is not known, so the row fails. */
export type OptOutEffect = 'opt_out' | 'nothing' | 'fail';

const optOutWords =
  'true,yes,y,ja,1,x,unsubscribed,unsubscribe,opted out,opted-out,opted_out,optout,opt-out,opt out,cleaned,bounced,hard bounced,suppressed,blocked,blocklisted,blacklisted,complained,abgemeldet';
const otherWords =
  'false,no,n,nein,0,-,subscribed,subscribe,active,enabled,confirmed,opted in,opted-in,opted_in,opt-in,opt in,angemeldet';

const usual: ReadonlyMap<string, OptOutEffect> = new Map([
  ...optOutWords.split(',').map((word) => [word, 'opt_out'] as const),
  ...otherWords.split(',').map((word) => [word, 'nothing'] as const),
]);

/**
 * Returns a function that tells what the values of an opt-out column do. No value opts a contact in
 * again, because the file may be older than an opt-out.
 */
export function optOutReader({
  values,
  other_values: other,
}: Pick<FoundColumn, 'values' | 'other_values'>): (value: unknown) => OptOutEffect {
  const known =
    values !== undefined
      ? new Map(Object.entries(values).map(([word, effect]) => [word.trim().toLowerCase(), effect]))
      : other === undefined
        ? usual
        : undefined;
  return (value) => {
    if (value === null || value === undefined) return 'nothing';
    const word = (typeof value === 'string' ? value : JSON.stringify(value)).trim().toLowerCase();
    return word === '' ? 'nothing' : (known?.get(word) ?? other ?? 'fail');
  };
}
