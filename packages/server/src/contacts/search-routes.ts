import { SearchAnswer, SearchAudienceBody, SearchContactsBody } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import type { Service } from '../http/service.ts';
import { serveV5, successOf, type V5Request } from '../http/v5.ts';
import { searchContacts, type Audience } from '../search/search.ts';
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
    handle: (request) => search(service, request),
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
    handle: (request) => search(service, request, request.body),
  });
}

async function search(
  { context }: Service,
  request: V5Request<SearchContactsBody>,
  audience?: Audience,
): Promise<object> {
  const { credential, body } = request;
  const scope = { accountId: credential.accountId, unmasked: credential.scopes.has('unmasked') };
  const { rows, count, nextCursor } = await searchContacts(context, scope, body, audience);
  return {
    ...successOf(request, rows.length === 0 ? 'No contact matches' : 'Contacts found'),
    data: rows,
    ...(count === undefined ? {} : { count }),
    next_cursor: nextCursor,
  };
}
