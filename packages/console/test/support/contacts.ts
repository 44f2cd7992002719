import type { Page } from 'playwright-core';
import type { TestAccount } from '../../../server/test/support/service.ts';
import { chooseOption } from './keyboard.ts';

/** Contacts that {@link addPeople} adds. */
export const contacts = 450;

/** The page of contacts of account 1. */
export const contactsPage = '/accounts/1/contacts';
/** Waits until the page shows a number of contacts. */
export const count = (page: Page, text: string | RegExp) =>
  page.getByRole('status').filter({ hasText: text }).first().waitFor();

/** Fills the last condition of the builder up to its value. Its first field has the focus. */
export async function fillCondition(page: Page, field: string, operation: string): Promise<void> {
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Field');
  await page.keyboard.type(field);
  // The Enter key takes the first match.
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await chooseOption(page, operation);
  await page.keyboard.press('Tab');
}

/** Adds contacts with names, cities and some odd values to an account. */
export async function addPeople(first: TestAccount): Promise<void> {
  await first.apply('/client/attribute/create', {
    data: [
      { name: 'CARD', data_type: 'text', data_masking: 'full' },
      { name: 'SPENT', data_type: 'number' },
    ],
  });
  await first.apply('/contact/create', {
    data: {
      contact_type: 'identified',
      contacts: Array.from({ length: contacts }, (_, at) => ({
        identity: `person${at}@example.com`,
        mobile: String(919_800_000_000 + at),
        attributes: {
          FIRST_NAME: at === 7 ? '<img src=x onerror=alert(1)>' : at === 8 ? 'שלום עולם' : `First ${at}`,
          LAST_NAME: at === 9 ? 'x'.repeat(1000) : `Last ${at}`,
          CITY: at % 3 === 0 ? 'Pune' : 'Goa',
          CARD: `4000 0000 0000 ${1000 + at}`,
          ...(at < 5 && { SPENT: [1, 1.5, 1234, 1234.5, 2000][at] }),
          BIRTH_DATE: `19${50 + (at % 50)}-05-05`,
        },
      })),
    },
  });
}
