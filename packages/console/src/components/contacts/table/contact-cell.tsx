import { Tooltip } from '@mantine/core';
import type { ContactValue } from '@roster/client';
import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { contactTypeLabel } from '#components/filter/filter-words.ts';
import type { FilterSources } from '#components/filter/filter-sources.tsx';
import type { ContactField } from '#components/filter/model/fields.ts';
import { DateTime } from '#components/values/date-time.tsx';
import { cutText, formatDate, formatNumber } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';
import styles from '../contacts.module.css';

/** Longer values are cut off in a cell. The page of the contact shows them completely. */
const longestText = 200;

/** The value of a field of a contact in a table. Values are always text, never HTML. */
export function ContactCell({
  field,
  value,
  sources,
}: {
  readonly field: ContactField;
  readonly value: ContactValue | readonly number[] | undefined;
  readonly sources: FilterSources;
}): ReactNode {
  const t = useTexts('filter');
  if (value === null || value === undefined || value === '') return <span className={styles.none}>–</span>;
  if (field.isMasked) {
    return (
      <Tooltip label={t('table.masked')}>
        <span className={styles.masked}>
          <Lock size={11} aria-label={t('table.masked')} /> {String(value)}
        </span>
      </Tooltip>
    );
  }
  if (Array.isArray(value)) {
    const names = (value as readonly number[]).map(
      (id) => sources.lists.find(({ audience_id: one }) => one === id)?.name ?? String(id),
    );
    return names.length === 0 ? <span className={styles.none}>–</span> : names.join(', ');
  }
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (typeof value === 'number') {
    return field.type === 'id' ? String(value) : formatNumber(value, { maximumFractionDigits: 20 });
  }
  const text = String(value);
  if (field.type === 'contact_type') return contactTypeLabel(t, text);
  if (field.type === 'datetime' && !Number.isNaN(Date.parse(text))) return <DateTime value={text} />;
  if (field.type === 'date' && !Number.isNaN(Date.parse(text))) return formatDate(text);
  return cutText(text, longestText);
}
