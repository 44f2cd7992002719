import { eventLimits } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { invalidField } from '#platform/errors/api-error.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { eventsAfter, feedEnds, positionBefore } from './event-store.ts';
import { requireInFeed } from './feed-ends.ts';

/** Adds the operator route that reads the event feed. */
export function eventRoutes(app: FastifyInstance, { context: { db } }: Service): void {
  serve(app, 'listEvents', {
    async handle({ params: { account_id: accountId }, query }) {
      await requireAccount(db, accountId);
      if (query.after !== undefined && query.since !== undefined) {
        throw invalidField('not_allowed', 'since', 'cannot be combined with after. Send one of them');
      }
      const after = query.after ?? (await beginningOf(accountId, query.since));
      const data = await eventsAfter(db, accountId, after, query.limit ?? eventLimits.default);
      // After the events, so that events that are deleted meanwhile are an error, not a gap.
      const ends = await feedEnds(db, accountId);
      requireInFeed(after, ends);
      return {
        data,
        next_after: data.at(-1)?.position ?? after,
        last_position: ends.last_position,
      };
    },
  });

  /** Returns the position before the first event from a time on; default: before the oldest one. */
  async function beginningOf(accountId: number, since: string | undefined): Promise<number> {
    const ends = await feedEnds(db, accountId);
    return since === undefined ? ends.expired_position : positionBefore(db, accountId, new Date(since), ends);
  }
}
