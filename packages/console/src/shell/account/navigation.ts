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
import type { Catalogue } from '#texts/load-texts.ts';

/** Who sees a page: a person with one of these rights, everyone (no right), or the administrators of the installation. */
type Needs = readonly Permission[] | 'installation administrator';

/** A page of an account. Its name is `shell.pages.<id>`. */
export interface AccountPage {
  readonly id: keyof Catalogue['shell']['pages'];
  /** Path below the account; empty for home. */
  readonly path: string;
  /** The tab of the page, in the address. */
  readonly tab?: string;
  readonly needs: Needs;
}

/** A page in the navigation, with the pages that it leads to. */
export interface NavigationEntry extends AccountPage {
  readonly icon: LucideIcon;
  /** The pages of the section, and others with an address of their own. */
  readonly pages?: readonly AccountPage[];
}

const contactPages: readonly AccountPage[] = [
  { id: 'bulkChanges', path: '/contacts/bulk-changes', needs: ['contacts:read'] },
];

const audiencePages: readonly AccountPage[] = [
  { id: 'lists', path: '/audiences', needs: ['lists:read'] },
  { id: 'segments', path: '/audiences', tab: 'segments', needs: ['segments:read'] },
];

const importPages: readonly AccountPage[] = [{ id: 'newImport', path: '/imports/new', needs: ['imports:write'] }];

const exportPages: readonly AccountPage[] = [
  { id: 'newExport', path: '/exports/new', needs: ['export'] },
  { id: 'schedules', path: '/exports/schedules', needs: ['exports:read'] },
];

const developerPages: readonly AccountPage[] = [
  { id: 'requests', path: '/developers/requests', needs: ['requests:read'] },
  { id: 'apiKeys', path: '/developers/api-keys', needs: ['api-keys:read'] },
  { id: 'deliveries', path: '/developers/deliveries', needs: ['callbacks:read'] },
  { id: 'subscriptions', path: '/developers/subscriptions', needs: ['callbacks:read'] },
  { id: 'feed', path: '/developers/events', needs: ['events:read'] },
  { id: 'mails', path: '/developers/mails', needs: ['mails:read'] },
  { id: 'signingSecret', path: '/developers/signing-secret', needs: ['callbacks:read'] },
  { id: 'apiReference', path: '/developers/api-reference', needs: [] },
];

const privacyPages: readonly AccountPage[] = [
  { id: 'erasures', path: '/privacy/erasures', needs: ['privacy:read'] },
  { id: 'forgotten', path: '/privacy/forgotten', needs: ['privacy:read'] },
  { id: 'personExports', path: '/privacy/person-exports', needs: ['privacy:read'] },
  { id: 'retention', path: '/privacy/retention', needs: ['privacy:read', 'account:read'] },
  { id: 'signUps', path: '/privacy/sign-ups', needs: ['privacy:read'] },
];

const settingsPages: readonly AccountPage[] = [
  { id: 'account', path: '/settings/account', needs: ['account:read'] },
  { id: 'members', path: '/settings/members', needs: ['members:read'] },
  { id: 'auditLog', path: '/settings/audit-log', needs: ['audit-log:read'] },
  { id: 'singleSignOn', path: '/settings/single-sign-on', needs: 'installation administrator' },
  { id: 'system', path: '/settings/system', needs: 'installation administrator' },
];

/** The pages of the sections with links below the title, in order. */
export const sectionPages = { developers: developerPages, privacy: privacyPages, settings: settingsPages } as const;

/** The groups of the navigation, in order. */
export const navigation: readonly (readonly NavigationEntry[])[] = [
  [
    { id: 'home', path: '', icon: House, needs: [] },
    { id: 'contacts', path: '/contacts', icon: Users, needs: ['contacts:read'], pages: contactPages },
    {
      id: 'audiences',
      path: '/audiences',
      icon: ListFilter,
      needs: ['lists:read', 'segments:read'],
      pages: audiencePages,
    },
    { id: 'attributes', path: '/attributes', icon: Tags, needs: ['attributes:read'] },
  ],
  [
    { id: 'imports', path: '/imports', icon: ArrowDownToLine, needs: ['imports:read'], pages: importPages },
    { id: 'exports', path: '/exports', icon: ArrowUpFromLine, needs: ['exports:read'], pages: exportPages },
    { id: 'activity', path: '/activity', icon: Activity, needs: ['activity:read'] },
  ],
  [
    {
      id: 'developers',
      path: '/developers',
      icon: Code,
      needs: ['requests:read', 'api-keys:read', 'callbacks:read'],
      pages: developerPages,
    },
    { id: 'privacy', path: '/privacy', icon: ShieldCheck, needs: ['privacy:read'], pages: privacyPages },
    {
      id: 'settings',
      path: '/settings',
      icon: Settings,
      needs: ['account:read', 'members:read', 'audit-log:read'],
      pages: settingsPages,
    },
  ],
];

/** Tells whether a person sees a page of an account. */
export function isVisibleTo(
  { needs }: AccountPage,
  can: (permission: Permission) => boolean,
  isInstallationAdmin: boolean,
): boolean {
  if (needs === 'installation administrator') return isInstallationAdmin;
  return needs.length === 0 || needs.some((right) => can(right));
}
