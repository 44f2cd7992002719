import { sql } from 'kysely';
import { compileFilter } from '#features/search/filter/compile.ts';
import { resolveAudience } from '#features/search/search.ts';
import { startFilling } from '#features/live-segments/follow-segments.ts';
import { stepLiveSegments, type StepSizes } from '#features/live-segments/step.ts';
import type { Context } from '#platform/context.ts';
import type { TestAccount } from '../support/service.ts';

/** Steps of the usual size, which do not rest after a slow pass of the clock. */
const usual: StepSizes = { changed: 20_000, filled: 10_000, read: 200_000, rest: 0 };

/** Does steps until the live segments of an account have followed everything. */
export async function follow(context: Context, accountId: number, sizes = usual): Promise<void> {
  for (;;) {
    const { more, waiting } = await stepLiveSegments(context, accountId, sizes);
    if (waiting) await startFilling(context, accountId);
    else if (!more) return;
  }
}

/** Returns the stored members of a live segment, ascending. */
export async function membersOf({ db }: Context, accountId: number, audienceId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('live_members as m')
    .innerJoin('live_segments as s', (join) =>
      join.onRef('s.account_id', '=', 'm.account_id').onRef('s.live_id', '=', 'm.live_id'),
    )
    .where('s.account_id', '=', accountId)
    .where('s.audience_id', '=', audienceId)
    .select('m.contact_id')
    .orderBy('m.contact_id')
    .execute();
  return rows.map(({ contact_id: id }) => id);
}

/** Returns the contacts that match a segment now, ascending. */
export async function matchesOf(context: Context, accountId: number, audienceId: number): Promise<number[]> {
  const audience = { audience_type: 'segment', audience_id: [audienceId] } as const;
  const filter = await resolveAudience(context, { accountId, unmasked: true }, audience);
  const { rows } = await sql<{ contact_id: number }>`
    select contacts.contact_id from contacts where ${compileFilter(filter)} order by 1`.execute(context.searchDb);
  return rows.map(({ contact_id: id }) => id);
}

/** Returns the members of each segment that a reader of the event feed knows. */
export async function replayedMembers(account: TestAccount): Promise<Map<number, number[]>> {
  const members = new Map<number, Set<number>>();
  for (let after = 0; ;) {
    const { body } = await account.operator('GET', `/event-feed?after=${after}&limit=10000`);
    if (body.data.length === 0) break;
    for (const { kind, contact_id: id, details } of body.data) {
      if (kind === 'contact.erased') for (const one of members.values()) one.delete(id);
      if (kind === 'segment.stopped') members.delete(details.segment_id);
      if (kind !== 'contact.entered_segment' && kind !== 'contact.left_segment') continue;
      const one = members.get(details.segment_id) ?? new Set();
      members.set(details.segment_id, one);
      if (kind === 'contact.left_segment') {
        if (!one.delete(id)) throw new Error(`contact ${id} left segment ${details.segment_id} without being in it`);
      } else if (one.has(id)) throw new Error(`contact ${id} entered segment ${details.segment_id} twice`);
      else one.add(id);
    }
    after = body.next_after;
  }
  return new Map([...members].map(([id, ids]) => [id, [...ids].sort((one, other) => one - other)]));
}
