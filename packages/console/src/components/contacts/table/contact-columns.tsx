import { useMemo } from 'react';
import { useFilterSources } from '#components/filter/filter-sources.tsx';
import { fieldLabel } from '#components/filter/filter-words.ts';
import { isSortable, type ContactField } from '#components/filter/model/fields.ts';
import type { DataColumn } from '#components/table/columns.ts';
import { useTexts } from '#texts/use-texts.ts';
import { ContactCell } from './contact-cell.tsx';
import type { ContactTableRow } from './use-contact-rows.ts';

/** Attributes that most accounts use. They are shown unless the person chooses other columns. */
const usualAttributes = ['FIRST_NAME', 'LAST_NAME', 'CITY'];

const widths: Partial<Record<ContactField['type'], number>> = {
  id: 110,
  contact_type: 138,
  email: 250,
  identity: 220,
  mobile: 136,
  number: 110,
  boolean: 110,
  date: 130,
  datetime: 166,
  list: 200,
};

/** Returns the columns of a table of contacts: all fields of the account. */
export function useContactColumns(): readonly DataColumn<ContactTableRow>[] {
  const t = useTexts('filter');
  const sources = useFilterSources();
  return useMemo(() => {
    const { fields } = sources;
    const hasOwnIdentity = fields.primaryKey !== 'EMAIL' && fields.primaryKey !== 'MOBILE';
    const usual = [
      ...(hasOwnIdentity ? ['identity'] : []),
      ...(fields.primaryKey === 'MOBILE' ? ['mobile', 'email'] : ['email', 'mobile']),
      ...usualAttributes.filter((name) => fields.byName.has(name)),
      'contact_type',
      'created_at',
    ];
    const others = [...fields.byName.values()]
      .filter(
        ({ name, type }) => type !== 'segment' && !usual.includes(name) && (name !== 'identity' || hasOwnIdentity),
      )
      .map(({ name }) => name);
    return [...usual, ...others].map((name): DataColumn<ContactTableRow> => {
      const field = fields.byName.get(name)!;
      return {
        id: name,
        label: fieldLabel(t, name, fields),
        width: widths[field.type] ?? 140,
        minWidth: widths[field.type] ?? 140,
        grows: name === usual[0],
        isOptional: !usual.includes(name),
        isSortable: isSortable(field),
        ...(field.type === 'number' && { align: 'end' }),
        cell: ({ values }) =>
          values === undefined ? '…' : <ContactCell field={field} value={values[name]} sources={sources} />,
      };
    });
  }, [t, sources]);
}
