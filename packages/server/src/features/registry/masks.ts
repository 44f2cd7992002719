import type { Database } from '#platform/database/connection/database.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';
import { loadFormerMasks, type FormerMasks } from './former-masks.ts';
import { loadRegistry, type Registry } from './registry.ts';

/** The masks of an account: those of its attributes, and those that names had before. */
export interface Masks {
  readonly registry: Registry;
  readonly formerMasks: FormerMasks;
}

/** Loads the masks of an account for a caller; undefined if the caller may see unmasked values. */
export async function masksFor(db: Database, actor: Actor, accountId: number): Promise<Masks | undefined> {
  if (actor.can('unmasked', accountId)) return undefined;
  const [registry, formerMasks] = await Promise.all([loadRegistry(db, accountId), loadFormerMasks(db, accountId)]);
  return { registry, formerMasks };
}
