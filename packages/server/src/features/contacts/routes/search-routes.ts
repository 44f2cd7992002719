import { SearchAnswer, SearchAudienceBody, SearchContactsBody, type Faults, type PartlyRead } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import type { Service } from '#platform/http/server/service.ts';
import { serveV5, successOf, type V5Request } from '#platform/http/operations/v5.ts';
import { checkSearch, runSearch, type Audience, type CheckedSearch } from '#features/search/search.ts';
import { searchAudienceExamples, searchExamples } from './examples.ts';

const tag = 'Contacts';

/** The operations that read contacts (decisions §3). */
export function contactSearchRoutes(app: FastifyInstance, service: Service): void {
  serveV5(app, {
    path: '/contact/search',
    operationId: 'searchContacts',
    tag,
    summary: 'Search contacts',
    description:
      'Answers the contacts that match all or any of the condition groups, sorted and page by page. No match is an empty `data`.',
    scope: 'contacts:read',
    body: SearchContactsBody,
    examples: searchExamples,
    answer: SearchAnswer,
    filtersContacts: true,
    errors: ['answer_too_large', 'too_many_searches', 'search_timeout'],
    check: (request, faults) => check(service, request, undefined, faults),
    handle: (request, search) => answer(service, request, search),
  });
  serveV5(app, {
    path: '/contact/audience/search',
    operationId: 'searchAudience',
    tag,
    summary: 'Search within an audience',
    description: 'Answers the contacts of the named lists or segments that match; otherwise as contact search.',
    scope: 'contacts:read',
    body: SearchAudienceBody,
    examples: searchAudienceExamples,
    answer: SearchAnswer,
    filtersContacts: true,
    errors: ['answer_too_large', 'too_many_searches', 'search_timeout'],
    check: (request, faults) => check(service, request, request.body, faults),
    handle: (request, search) => answer(service, request, search),
  });
}

/** What a check looks up is found at once, so it needs no turn, and those who wait for one are told of their faults without. */
async function check(
  { context }: Service,
  { credential, body }: V5Request<PartlyRead<SearchContactsBody>>,
  audience: PartlyRead<Audience> | undefined,
  faults: Faults,
): Promise<CheckedSearch> {
  const scope = { accountId: credential.accountId, unmasked: credential.scopes.has('unmasked') };
  return checkSearch({ searchDb: context.db }, scope, body, audience, faults);
}

async function answer({ context }: Service, request: V5Request<object>, search: CheckedSearch): Promise<object> {
  const { rows, count, nextCursor } = await context.searches.run(search.accountId, request.departure(), (searchDb) =>
    runSearch({ searchDb }, search),
  );
  return {
    ...successOf(request, rows.length === 0 ? 'No contact matches' : 'Contacts found'),
    data: rows,
    ...(count === undefined ? {} : { count }),
    next_cursor: nextCursor,
  };
}
