import { useQuery } from '@tanstack/react-query';
import { useAccount } from '#shell/account/use-account.ts';
import { useAuthorName } from '#shell/account/use-author-name.ts';

/** Entries of the audit log that are read. Older changes have no author in the timeline. */
const limit = 500;

/**
 * Returns a function that names who sent a request about a contact. It knows what people and
 * operators did with this contact, from the audit log, if the person may read it.
 */
export function useRequestAuthors(contactId: number): (requestId: string | undefined) => string | undefined {
  const { accountId, account, can } = useAccount();
  const nameOf = useAuthorName();
  const { data: authors } = useQuery({
    // The key begins like that of the timeline, so a change loads both again.
    queryKey: ['accounts', accountId, 'contacts', contactId, 'timeline', 'authors'],
    async queryFn({ signal }) {
      const entries = await account.auditLog.list({ subject: `contact:${contactId}`, limit, signal }).take(limit);
      return new Map(entries.map(({ details, actor }) => [(details as { request_id?: string }).request_id, actor]));
    },
    enabled: can('audit-log:read'),
  });
  return (requestId) => {
    const author = requestId === undefined ? undefined : authors?.get(requestId);
    return author === undefined ? undefined : nameOf(author);
  };
}
