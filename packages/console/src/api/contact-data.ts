import type { QueryClient } from '@tanstack/react-query';

/** The parts of the cache of an account that change with its contacts. */
const contactData = [
  'contacts',
  'lists',
  'segments',
  'audience-choices',
  'attributes',
  'attribute-values',
  'derived-attributes',
  'statistics',
  'export-preview',
];

/** Loads everything again that shows contacts of an account, or counts them. */
export async function reloadContactData(cache: QueryClient, accountId: number): Promise<void> {
  const isContactData = new Set<unknown>(contactData);
  await cache.invalidateQueries({
    queryKey: ['accounts', accountId],
    predicate: ({ queryKey }) => isContactData.has(queryKey[2]),
  });
}
