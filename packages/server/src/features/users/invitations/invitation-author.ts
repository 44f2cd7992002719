import type { Database } from '#platform/database/connection/database.ts';
import { mayInvite, type Rights } from '../members/member-rules.ts';
import { actorsOfPeople, userIdOf } from '../store/author-actors.ts';

/** What decides whether an invitation still counts. */
interface AuthoredRights extends Rights {
  readonly account_id: number;
  readonly author: string;
}

/**
 * Returns the invitations whose author may still grant their rights. The others count as withdrawn,
 * because a person who was removed, lowered, disabled or deleted must not leave a way back in.
 * Authors that are not people, such as the operator token, always count.
 */
export async function withEntitledAuthors<Row extends AuthoredRights>(
  db: Database,
  rows: readonly Row[],
): Promise<Row[]> {
  const actors = await actorsOfPeople(
    db,
    rows.map(({ author }) => author),
  );
  return rows.filter(({ account_id: accountId, author, role, unmasked }) => {
    if (userIdOf(author) === undefined) return true;
    const actor = actors.get(author);
    return actor !== undefined && mayInvite(actor, accountId, { role, unmasked });
  });
}
