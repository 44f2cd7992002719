import type { PipelineState } from '@roster/client';

type Work = Pick<PipelineState['running'][number], 'kind' | 'id'>;

/** Returns the page of a piece of work. Mails have only a list. */
export function addressOf(accountId: number, { kind, id }: Work): string {
  const base = `/accounts/${accountId}`;
  switch (kind) {
    case 'request':
      return `${base}/developers/requests/${id}`;
    case 'import':
      return `${base}/imports/${id}`;
    case 'export':
      return `${base}/exports/${id}`;
    case 'bulk_change':
      return `${base}/contacts/bulk-changes/${id}`;
    case 'callback':
      return `${base}/developers/deliveries/${id}`;
    case 'mail':
      return `${base}/developers/mails`;
  }
}

/**
 * Returns the address of the page that lists the failures of a kind. Imports and bulk changes of
 * which only a part failed are completed, so these lists have no filter.
 */
export function failuresAddressOf(accountId: number, kind: Work['kind']): string {
  const lists = {
    request: 'developers/requests?outcome=failed',
    import: 'imports',
    export: 'exports?status=failed',
    bulk_change: 'contacts/bulk-changes',
    callback: 'developers/deliveries?status=failed',
    mail: 'developers/mails?status=failed',
  } as const;
  return `/accounts/${accountId}/${lists[kind]}`;
}
