import { findPresentApiKey } from '#features/accounts/keys/credential-store.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { actorOfApiKey, actorOfPerson, operatorActor, type Actor } from '#platform/http/authentication/actor.ts';
import { personColumns, personOfRow } from './person-row.ts';

/**
 * Returns the author of an earlier change with the rights that the author has now. Undefined if a
 * person is deleted or blocked, or a key is revoked or has expired.
 *
 * Use it when something that an author left behind is used later, such as a schedule.
 */
export async function actorOfAuthor(db: Database, author: string, now: Date): Promise<Actor | undefined> {
  if (author === 'operator') return operatorActor;
  const apiKeyId = /^api-key:(\d+)$/.exec(author)?.[1];
  if (apiKeyId === undefined) return (await actorsOfPeople(db, [author])).get(author);
  const key = await findPresentApiKey(db, Number(apiKeyId), now);
  return key === undefined ? undefined : actorOfApiKey(key);
}

/**
 * Returns the people among some authors with the rights that they have now, by author. People who
 * are deleted or blocked are missing.
 */
export async function actorsOfPeople(db: Database, authors: readonly string[]): Promise<ReadonlyMap<string, Actor>> {
  const userIds = [...new Set(authors.flatMap((author) => userIdOf(author) ?? []))];
  if (userIds.length === 0) return new Map();
  const people = await db
    .selectFrom('users')
    .where('user_id', 'in', userIds)
    .where('disabled_at', 'is', null)
    .select(personColumns)
    .execute();
  const actors = people.map((row) => actorOfPerson(personOfRow(row)));
  return new Map(actors.map((actor) => [actor.author, actor]));
}

/** Returns the number of the user; undefined if the author is not a person. */
export function userIdOf(author: string): number | undefined {
  const id = /^user:(\d+)$/.exec(author)?.[1];
  return id === undefined ? undefined : Number(id);
}
