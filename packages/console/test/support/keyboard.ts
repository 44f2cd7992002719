import type { Locator, Page } from 'playwright-core';

/** More elements than any page has before the one that is looked for. */
const mostTabs = 150;

/** Moves the focus to an element with the Tab key, as a person without a mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let times = 0; times < mostTabs; times++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${String(target)} cannot be reached with the Tab key`);
}

/** Moves the focus to a button, link or tab, and presses Enter. */
export async function pressEnterOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** Chooses an option of the list that the focused field opens, with the arrow keys. */
export async function chooseOption(page: Page, name: string): Promise<void> {
  const option = page.getByRole('option', { name, exact: true });
  const isActive = (): Promise<boolean> =>
    option.evaluate((element) => element.hasAttribute('data-combobox-selected')).catch(() => false);
  // On a busy machine, a list that has just opened forgets which option is marked. A person presses
  // the keys again.
  for (let tries = 0; tries < 3; tries++) {
    await page.keyboard.press('ArrowDown');
    await option.waitFor();
    for (let times = 0; times < mostTabs && !(await isActive()); times++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const isChosen = await option.waitFor({ state: 'hidden', timeout: 3000 }).then(
      () => true,
      () => false,
    );
    if (isChosen) return;
  }
  throw new Error(`The option ${name} was not taken`);
}

/** Moves the focus to a field, and types into it. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.type(text);
}

/** Moves the focus into a table, goes to one of its first rows with the arrow keys, and opens it. */
export async function openRow(page: Page, row: Locator): Promise<void> {
  await row.waitFor();
  const table = row.locator('xpath=ancestor::*[@role="grid"]');
  await tabTo(page, table.locator('[role=row][tabindex="0"]'));
  const isActive = (): Promise<boolean> => row.evaluate((element) => element === document.activeElement);
  for (let times = 0; times < mostTabs && !(await isActive()); times++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}
