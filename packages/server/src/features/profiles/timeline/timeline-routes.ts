import { maxInteger, nearestName, pageLimits, timelineKinds, type TimelineKind } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { readAnywhere } from '#platform/database/replicas/read-anywhere.ts';
import { invalidField } from '#platform/errors/api-error.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';
import { requirePermission } from '#platform/http/authentication/require-actor.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { decodeCursor, encodeCursor } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { loadTimeline } from './timeline.ts';

/** The operation that lists the timeline of a contact. */
export function timelineRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'listContactTimeline', {
    async handle({ params: { account_id: accountId, contact_id: contactId }, actor, query }) {
      await requireAccount(context.db, accountId);
      const bounds = [Number.MAX_SAFE_INTEGER, maxInteger];
      const [time, skip] = query.cursor === undefined ? [] : decodeCursor(query.cursor, bounds);
      const kinds = readKinds(query.kinds) ?? new Set(timelineKinds.filter((kind) => mayRead(kind, actor, accountId)));
      if (kinds.has('activity')) requirePermission(actor, 'activity:read', accountId);
      const owner = { accountId, contactId, unmasked: actor.can('unmasked', accountId) };
      const wanted = {
        kinds,
        from: { time: time ?? latestTime, skip: skip ?? 0 },
        limit: query.limit ?? pageLimits.default,
      };
      const page = await readAnywhere(context, (db) => loadTimeline(db, owner, wanted));
      return { data: page.entries, next_cursor: page.next && encodeCursor([page.next.time, page.next.skip]) };
    },
  });
}

// Later than everything. The ids of requests have room for this time.
const latestTime = Date.UTC(9999, 11, 31);

const mayRead = (kind: TimelineKind, actor: Actor, accountId: number): boolean =>
  kind !== 'activity' || actor.can('activity:read', accountId);

/**
 * Reads the parameter `kinds`. Returns undefined if it is absent. Throws `invalid_request` for an
 * unknown kind.
 */
function readKinds(text: string | undefined): ReadonlySet<TimelineKind> | undefined {
  if (text === undefined) return undefined;
  const kinds = text.split(',').map((kind) => kind.trim());
  const unknown = kinds.find((kind) => !(timelineKinds as readonly string[]).includes(kind));
  if (unknown === undefined) return new Set(kinds as TimelineKind[]);
  const near = nearestName(unknown, timelineKinds);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw invalidField('unknown_value', 'kinds', `must have only ${timelineKinds.join(', ')}.${hint}`);
}
