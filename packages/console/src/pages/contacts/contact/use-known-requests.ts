import { useQuery } from '@tanstack/react-query';
import { useAccount } from '#shell/account/use-account.ts';
import { useAuthorName } from '#shell/account/use-author-name.ts';

/** Entries of the audit log that are read. Older changes have no author in the timeline. */
const limit = 500;

/** What the audit log knows about a request. */
export interface KnownRequest {
  /** Who sent it. */
  readonly author: string;
  /** The fields that it changed, such as `attributes.CITY`; empty if the log does not have them. */
  readonly fields: readonly string[];
}

/**
 * Returns a function that says who sent a request about a contact, and what it changed. It knows what
 * people and operators did with this contact, from the audit log, if the person may read it.
 */
export function useKnownRequests(contactId: number): (requestId: string | undefined) => KnownRequest | undefined {
  const { accountId, account, can } = useAccount();
  const nameOf = useAuthorName();
  const { data: known } = useQuery({
    // The key begins like that of the timeline, so a change loads both again.
    queryKey: ['accounts', accountId, 'contacts', contactId, 'timeline', 'authors'],
    async queryFn({ signal }) {
      const entries = await account.auditLog.list({ subject: `contact:${contactId}`, limit, signal }).take(limit);
      return new Map(
        entries.map(({ details, actor }) => {
          const { request_id: id, fields } = details as { request_id?: string; fields?: unknown };
          const names = Array.isArray(fields) ? fields.filter((one) => typeof one === 'string') : [];
          return [id, { actor, fields: names }];
        }),
      );
    },
    enabled: can('audit-log:read'),
  });
  return (requestId) => {
    const found = requestId === undefined ? undefined : known?.get(requestId);
    return found === undefined ? undefined : { author: nameOf(found.actor), fields: found.fields };
  };
}
