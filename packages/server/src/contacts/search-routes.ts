import { SearchAnswer, SearchAudienceBody, SearchContactsBody } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import type { Service } from '../http/service.ts';
import { serveV5, successOf, type V5Request } from '../http/v5.ts';
import { checkSearch, runSearch, type CheckedSearch, type SearchScope } from '../search/search.ts';
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
    errors: ['search_timeout'],
    check: (request, faults) => checkSearch(service.context, scopeOf(request), request.body, undefined, faults),
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
    errors: ['search_timeout'],
    check: (request, faults) => checkSearch(service.context, scopeOf(request), request.body, request.body, faults),
    handle: (request, search) => answer(service, request, search),
  });
}

function scopeOf({ credential }: Pick<V5Request<unknown>, 'credential'>): SearchScope {
  return { accountId: credential.accountId, unmasked: credential.scopes.has('unmasked') };
}

async function answer({ context }: Service, request: V5Request<object>, search: CheckedSearch): Promise<object> {
  const { rows, count, nextCursor } = await runSearch(context, search);
  return {
    ...successOf(request, rows.length === 0 ? 'No contact matches' : 'Contacts found'),
    data: rows,
    ...(count === undefined ? {} : { count }),
    next_cursor: nextCursor,
  };
}
