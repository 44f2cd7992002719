import { olderPage, type ListAudiencesAnswer, type ListAudiencesBody } from '@roster/contract';
import type { RawBuilder, SqlBool } from 'kysely';
import type { AudiencePage } from '#features/audiences/audience-page.ts';
import { countAudiences } from '#features/audiences/audience-store.ts';
import { listLists } from '#features/audiences/list-store.ts';
import { listSegments } from '#features/audiences/segment-store.ts';
import type { Context } from '#platform/context.ts';
import type { Credential } from '#platform/http/authentication/credential.ts';
import { segmentNumbers, type AudienceNumber } from './segment-numbers.ts';

/** The request for one page. */
export interface PageOfAudiences {
  readonly body: ListAudiencesBody;
  /** The condition on the time of the last change. */
  readonly updated: RawBuilder<SqlBool> | undefined;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
}

type Answered = Pick<ListAudiencesAnswer['data'], 'page_details' | 'audiences'>;

const orders = { ids: 'audience_id', updated_date: 'updated_at', last_refreshed_date: 'counted_day' } as const;

/** Returns one page of the lists or segments of an account. */
export async function listAudiences(
  context: Context,
  account: Pick<Credential, 'accountId' | 'timeZone'>,
  { body, updated, signal }: PageOfAudiences,
): Promise<Answered> {
  const { accountId } = account;
  const { audience_type: type, filtering_criteria: filter, sorting_criteria: sorting } = body;
  const { page_no, page_size } = { ...olderPage, ...body.page_details };
  const page: AudiencePage = {
    order: orders[sorting?.sort_by ?? 'ids'],
    direction: sorting?.sort_order ?? 'asc',
    ids: filter?.audience_ids,
    updated,
    offset: (page_no - 1) * page_size,
  };
  const list = type === 'list' ? listLists : listSegments;
  const rows = await list(context.db, accountId, page, undefined, page_size);
  const numbers =
    type === 'list'
      ? undefined
      : await segmentNumbers(
          context,
          account,
          rows.map((row) => row.audience_id),
          signal,
        );
  const total_count = await countAudiences(context.db, accountId, type, page);
  return {
    page_details: { page_no, page_size, total_count, total_pages: Math.ceil(total_count / page_size) },
    audiences: rows.map((row) => ({
      audience_id: row.audience_id,
      audience_type: type,
      name: row.name,
      ...('member_count' in row ? numberOfList(row.member_count) : numbers!.get(row.audience_id)!),
      created_date: row.created_at.toISOString(),
      updated_date: row.updated_at.toISOString(),
    })),
  };
}

function numberOfList(count: number): AudienceNumber {
  return { count, last_refreshed_date: null };
}
