import type { AccountOperator } from '@roster/client';

/** Saves everything that is known about one person as a file of the browser. Throws what the client throws. */
export async function downloadPerson(account: AccountOperator, contactId: number): Promise<void> {
  const data = await account.contacts.export(contactId);
  const address = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `contact-${contactId}.json`;
  link.click();
  URL.revokeObjectURL(address);
}
