import {
  Activity,
  ArrowDownToLine,
  ArrowUpFromLine,
  Code,
  House,
  ListFilter,
  type LucideIcon,
  Settings,
  ShieldCheck,
  Tags,
  Users,
} from 'lucide-react';
import type { Permission } from '#api/session.ts';

/** A page in the navigation. Its name is `shell.pages.<id>`. */
export interface NavigationEntry {
  readonly id:
    | 'home'
    | 'contacts'
    | 'audiences'
    | 'attributes'
    | 'imports'
    | 'exports'
    | 'activity'
    | 'developers'
    | 'privacy'
    | 'settings';
  /** Path below the account; empty for home. */
  readonly path: string;
  readonly icon: LucideIcon;
  /** The person needs one of these rights; none means that everyone sees the page. */
  readonly needs: readonly Permission[];
}

/** The groups of the navigation, in order. */
export const navigation: readonly (readonly NavigationEntry[])[] = [
  [
    { id: 'home', path: '', icon: House, needs: [] },
    { id: 'contacts', path: '/contacts', icon: Users, needs: ['contacts:read'] },
    { id: 'audiences', path: '/audiences', icon: ListFilter, needs: ['lists:read', 'segments:read'] },
    { id: 'attributes', path: '/attributes', icon: Tags, needs: ['attributes:read'] },
  ],
  [
    { id: 'imports', path: '/imports', icon: ArrowDownToLine, needs: ['imports:read'] },
    { id: 'exports', path: '/exports', icon: ArrowUpFromLine, needs: ['exports:read'] },
    { id: 'activity', path: '/activity', icon: Activity, needs: ['activity:read'] },
  ],
  [
    { id: 'developers', path: '/developers', icon: Code, needs: ['requests:read', 'api-keys:read', 'callbacks:read'] },
    { id: 'privacy', path: '/privacy', icon: ShieldCheck, needs: ['privacy:read'] },
    { id: 'settings', path: '/settings', icon: Settings, needs: ['account:read', 'members:read', 'audit-log:read'] },
  ],
];
