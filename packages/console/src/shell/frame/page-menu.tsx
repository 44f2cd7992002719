import { NavLink } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { Building2, type LucideIcon, UserRound, UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import { isVisibleTo, navigation } from '../account/navigation.ts';
import { useAccountIfAny, usePerson } from '../account/use-account.ts';
import styles from './account-shell.module.css';

/** The menu of the pages of the account. Without an account, it has the pages that need none. */
export function PageMenu(): ReactNode {
  const t = useTexts('shell');
  const current = useAccountIfAny();
  const isAdmin = usePerson()?.is_installation_admin === true;
  if (current === undefined) {
    return (
      <div className={styles.navigation}>
        <div className={styles.group}>
          {isAdmin && <PageLink to="/" isExact label={t('accounts')} icon={Building2} />}
          {isAdmin && <PageLink to="/users" label={t('users')} icon={UsersRound} />}
          <PageLink to="/profile" label={t('profile')} icon={UserRound} />
        </div>
      </div>
    );
  }
  const base = `/accounts/${current.accountId}`;
  return (
    <div className={styles.navigation}>
      {navigation.map((group) => {
        const visible = group.filter((page) => isVisibleTo(page, current.can, isAdmin));
        if (visible.length === 0) return null;
        return (
          <div key={group[0]!.id} className={styles.group}>
            {visible.map(({ id, path, icon }) => (
              <PageLink key={id} to={`${base}${path}`} isExact={path === ''} label={t(`pages.${id}`)} icon={icon} />
            ))}
          </div>
        );
      })}
    </div>
  );
}

function PageLink({
  to,
  isExact = false,
  label,
  icon: Icon,
}: {
  readonly to: string;
  /** Whether the pages below are pages of other links. */
  readonly isExact?: boolean;
  readonly label: string;
  readonly icon: LucideIcon;
}): ReactNode {
  const { pathname } = useLocation();
  const isSame = pathname.replace(/\/$/, '') === to.replace(/\/$/, '');
  const isActive = isSame || (!isExact && pathname.startsWith(`${to}/`));
  return (
    <NavLink
      component={Link}
      to={to}
      activeOptions={{ exact: isExact }}
      label={label}
      leftSection={<Icon size={16} aria-hidden />}
      active={isActive}
      aria-current={isActive ? 'page' : undefined}
      className={styles.link}
    />
  );
}
