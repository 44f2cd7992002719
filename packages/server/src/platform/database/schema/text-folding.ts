import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';

/** Settings that decide whether the database ignores letter case in every text. */
interface TextSettings {
  readonly encoding: string;
  readonly version: number;
  /** A quoted name for a new database, and its quoted owner. */
  readonly newName: string;
  readonly owner: string;
}

/** A fault of the database that makes searches miss letters. */
export interface FoldingFault {
  /** Describes the fault, as a sentence. */
  readonly message: string;
  /** Says what to do, with the statement that creates a good database. */
  readonly advice: string;
}

/**
 * Checks whether searches would miss letters in this database; undefined when it is good.
 *
 * `contains` and similar conditions compare the result of `lower()`. In the locale C, `lower()`
 * changes only ASCII letters. Then `contains "münchen"` misses `MÜNCHEN`, and `not_contains`
 * matches too many contacts. A database that is not in UTF-8 cannot store every text.
 */
export async function findFoldingFault(db: Database): Promise<FoldingFault | undefined> {
  const { rows } = await sql<TextSettings>`
    select getdatabaseencoding() as encoding, current_setting('server_version_num')::int as version,
      quote_ident(left(current_database(), 55) || '_utf8') as "newName", quote_ident(current_user) as owner`.execute(
    db,
  );
  const settings = rows[0]!;
  if (settings.encoding !== 'UTF8') {
    const message = `The encoding of the database is ${settings.encoding}, which cannot store every text. Roster needs UTF8.`;
    return { message, advice: adviceFor(settings) };
  }
  // This check comes second, because other encodings refuse a statement with these letters.
  const { rows: folding } = await sql<{ folds: boolean }>`select lower('Ü') = 'ü' as folds`.execute(db);
  if (folding[0]!.folds) return undefined;
  const message =
    'The locale of the database does not fold letter case beyond ASCII (lower(\'Ü\') is not \'ü\'): a search for "münchen" would miss "MÜNCHEN".';
  return { message, advice: adviceFor(settings) };
}

function adviceFor({ version, newName, owner }: TextSettings): string {
  // PostgreSQL 17 has a C.UTF-8 of its own. Older versions use the C.UTF-8 of the system.
  const locale =
    version >= 170_000 ? "locale 'C' locale_provider builtin builtin_locale 'C.UTF-8'" : "locale 'C.UTF-8'";
  const statement = `create database ${newName} owner ${owner} template template0 encoding 'UTF8' ${locale};`;
  return `Create another database and set DATABASE_URL to it: ${statement} If this database contains data, move the data with pg_dump and pg_restore.`;
}
