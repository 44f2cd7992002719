import type { Page } from 'playwright-core';

/** A state of a page that a person reaches by clicks. */
interface PageState {
  /** Name of the page, as in `pages.ts`. */
  readonly of: string;
  readonly name: string;
  readonly act: (page: Page) => Promise<void>;
}

const click =
  (role: 'button' | 'menuitem' | 'tab' | 'link', ...names: (string | RegExp)[]) =>
  async (page: Page): Promise<void> => {
    for (const name of names) await page.getByRole(role, { name }).first().click({ timeout: 3000 });
  };

const leads = `Email;First name;City;Signed up;Favourite colour
maria.keller@example.com;Maria;Hamburg;03.09.2025;blue
paul.brandt@example;Paul;Berlin;03.09.2025;red
`;

/** The states of pages of which pictures are made: dialogs, menus, forms, wizards. */
export const states: readonly PageState[] = [
  { of: 'home', name: 'palette', act: click('button', /^Search/) },
  { of: 'contacts', name: 'filter', act: click('button', /^Filter/) },
  { of: 'contacts', name: 'columns', act: click('button', 'Columns') },
  { of: 'contacts', name: 'call', act: click('button', /API/) },
  {
    of: 'contacts',
    name: 'selected',
    act: async (page) => {
      for (const at of [1, 2, 3]) await page.getByRole('checkbox').nth(at).click();
    },
  },
  { of: 'audiences', name: 'new', act: click('button', /New list|New segment|Create/) },
  { of: 'segment', name: 'filter', act: click('tab', 'Filter') },
  { of: 'segment', name: 'live', act: click('tab', 'Live') },
  { of: 'attributes', name: 'new', act: click('button', /New attribute|Create/) },
  {
    of: 'imports-new',
    name: 'mapping',
    act: async (page) => {
      const file = { name: 'trade-fair-leads.csv', mimeType: 'text/csv', buffer: Buffer.from(leads) };
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByText('Favourite colour').first().waitFor();
    },
  },
  { of: 'exports-schedules', name: 'new', act: click('button', /New schedule/) },
  { of: 'developers-api-keys', name: 'new', act: click('button', /New key|Create/) },
  { of: 'developers-subscriptions', name: 'new', act: click('button', 'Create subscription') },
  { of: 'subscription', name: 'edit', act: click('button', 'Edit') },
  { of: 'settings-members', name: 'invite', act: click('button', /Invite/) },
];
