import type { Database } from '#platform/database/connection/database.ts';
import { actorOfPerson } from '#platform/http/authentication/actor.ts';
import { mayInvite, type Rights } from '../members/member-rules.ts';
import { personColumns, personOfRow } from '../store/person-row.ts';

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
  const userIds = [...new Set(rows.flatMap(({ author }) => userIdOf(author) ?? []))];
  const people =
    userIds.length === 0
      ? []
      : await db
          .selectFrom('users')
          .where('user_id', 'in', userIds)
          .where('disabled_at', 'is', null)
          .select(personColumns)
          .execute();
  const actors = new Map(people.map((row) => [row.user_id, actorOfPerson(personOfRow(row))]));
  return rows.filter(({ account_id: accountId, author, role, unmasked }) => {
    const userId = userIdOf(author);
    if (userId === undefined) return true;
    const actor = actors.get(userId);
    return actor !== undefined && mayInvite(actor, accountId, { role, unmasked });
  });
}

function userIdOf(author: string): number | undefined {
  const id = /^user:(\d+)$/.exec(author)?.[1];
  return id === undefined ? undefined : Number(id);
}
