import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './section-nav.module.css';

/** A page of a section. */
export interface SectionEntry {
  readonly to: string;
  readonly label: string;
  /** Whether the person may see the page. */
  readonly isVisible: boolean;
}

/** Scrolls the link of the present page into view, for narrow windows. */
function showWhole(link: HTMLElement | null): void {
  link?.scrollIntoView({ block: 'nearest', inline: 'center' });
}

/** The pages of one section, such as the settings, below the title of the page. */
export function SectionNav({
  label,
  entries,
}: {
  readonly label: string;
  readonly entries: readonly SectionEntry[];
}): ReactNode {
  const { pathname } = useLocation();
  return (
    <nav aria-label={label} className={styles.nav}>
      {entries
        .filter(({ isVisible }) => isVisible)
        .map(({ to, label: name }) => {
          const isActive = pathname === to || pathname.startsWith(`${to}/`);
          return (
            <Link
              key={to}
              ref={isActive ? showWhole : undefined}
              to={to}
              className={styles.link}
              data-active={isActive || undefined}
              aria-current={isActive ? 'page' : undefined}
            >
              {name}
            </Link>
          );
        })}
    </nav>
  );
}
