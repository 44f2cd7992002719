import { SearchContactsBody, type Faults, type PartlyRead } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import type { Service } from '#platform/http/server/service.ts';
import type { ApiKeyRequest } from '#platform/http/operations/request.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { successOf } from '#platform/http/operations/success.ts';
import { filterLanguage } from '#features/search/filter/filter-language.ts';
import { checkRemembered, runRemembered, type RememberedSearch } from '#features/search/remembered-search.ts';
import type { Audience } from '#features/search/search.ts';

/** The operations that read contacts. */
export function contactSearchRoutes(app: FastifyInstance, service: Service): void {
  serve(app, 'searchContacts', {
    moreDescription: filterLanguage,
    check: (request, faults) => check(service, request, undefined, faults),
    handle: (request, search) => answer(service, request, search),
  });
  serve(app, 'searchAudience', {
    moreDescription: filterLanguage,
    check: (request, faults) => check(service, request, request.body, faults),
    handle: (request, search) => answer(service, request, search),
  });
}

/**
 * Checks a search before it waits for its turn. The look-ups of a check are fast, so they need no
 * turn, and a caller learns about faults at once.
 */
async function check(
  { context }: Service,
  { credential, body }: ApiKeyRequest<PartlyRead<SearchContactsBody>>,
  audience: PartlyRead<Audience> | undefined,
  faults: Faults,
): Promise<RememberedSearch> {
  const { accountId, scopes } = credential;
  const scope = { accountId, unmasked: scopes.has('unmasked'), activities: scopes.has('activity:read') };
  await context.searches.refuseIfFull(accountId);
  return checkRemembered(context, scope, body, audience, faults);
}

async function answer({ context }: Service, request: ApiKeyRequest<object>, remembered: RememberedSearch) {
  const disconnect = request.disconnectSignal();
  const { rows, count, nextCursor } = await runRemembered(context.searches, remembered, disconnect);
  return {
    ...successOf(request, rows.length === 0 ? 'No contact matches' : 'Contacts found'),
    data: rows,
    ...(count === undefined ? {} : { count }),
    next_cursor: nextCursor,
  };
}
