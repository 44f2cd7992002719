import type { Export, ExportSchedule } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

/** An audience to choose. */
export interface AudienceChoice {
  readonly id: number;
  readonly name: string;
  readonly type: 'list' | 'segment';
}

/** Maximum number of audiences of a kind that are loaded to choose from. */
const maxAudiences = 500;

/** Loads the lists and segments of the account that the person may see. */
export function useAudiences(): readonly AudienceChoice[] {
  const { accountId, account, can } = useAccount();
  const { data } = useQuery({
    queryKey: ['accounts', accountId, 'audience-choices'],
    async queryFn({ signal }) {
      const [lists, segments] = await Promise.all([
        can('lists:read') ? account.lists.list({ signal, limit: maxAudiences }).take(maxAudiences) : [],
        can('segments:read') ? account.segments.list({ signal, limit: maxAudiences }).take(maxAudiences) : [],
      ]);
      return [
        ...lists.map(({ audience_id: id, name }): AudienceChoice => ({ id, name, type: 'list' })),
        ...segments.map(({ audience_id: id, name }): AudienceChoice => ({ id, name, type: 'segment' })),
      ];
    },
    staleTime: 60_000,
  });
  return data ?? [];
}

/** The contacts of an export or schedule. */
type Source = Pick<Export | ExportSchedule, 'audience_type' | 'audience_id' | 'filter'>;

/** Returns a function that names the contacts of an export. */
export function useSourceName(): (source: Source) => string {
  const t = useTexts('exports');
  const audiences = useAudiences();
  return ({ audience_type: type, audience_id: id, filter }) => {
    if (type === null) return t(isEmpty(filter) ? 'what.all' : 'what.filter');
    return audiences.find((one) => one.id === id)?.name ?? t(`what.${type}`, { id });
  };
}

function isEmpty(filter: unknown): boolean {
  const { filtering_criteria: groups = [] } = (filter ?? {}) as {
    filtering_criteria?: readonly { condition_details?: readonly unknown[] }[];
  };
  return groups.every(({ condition_details: conditions = [] }) => conditions.length === 0);
}

/**
 * Returns a link to the file of an export below this site. The public address of the service can be
 * another one than that of this page.
 */
export function localFileUrl(url: string): string {
  return url.slice(Math.max(0, url.indexOf('/files/')));
}
