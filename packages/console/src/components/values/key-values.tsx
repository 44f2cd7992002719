import { Fragment, type ReactNode } from 'react';
import styles from './key-values.module.css';

/** Names with their values, in two columns. Entries whose value is undefined are left out. */
export function KeyValues({
  entries,
}: {
  readonly entries: readonly (readonly [name: string, value: ReactNode])[];
}): ReactNode {
  return (
    <dl className={styles.list}>
      {entries.map(([name, value]) =>
        value === undefined ? null : (
          <Fragment key={name}>
            <dt className={styles.name}>{name}</dt>
            <dd className={styles.value}>{value === null || value === '' ? '–' : value}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );
}
