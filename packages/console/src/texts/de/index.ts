/** Loads the texts of each area. */
export const areas = {
  common: () => import('./common.ts'),
  shell: () => import('./shell.ts'),
  filter: () => import('./parts/filter.ts'),
  home: () => import('./home.ts'),
  contacts: () => import('./contacts.ts'),
  contact: () => import('./parts/contact.ts'),
  audiences: () => import('./audiences.ts'),
  attributes: () => import('./attributes.ts'),
  imports: () => import('./imports.ts'),
  exports: () => import('./exports.ts'),
  activity: () => import('./activity.ts'),
  developers: () => import('./developers.ts'),
  privacy: () => import('./privacy.ts'),
  settings: () => import('./settings.ts'),
  profile: () => import('./profile.ts'),
  access: () => import('./access.ts'),
};
