import { sql } from 'kysely';
import type { Database } from '../connection/database.ts';

/** What decides whether the database ignores the letter case of every text. */
interface TextSettings {
  readonly encoding: string;
  readonly version: number;
  /** A name for a new database and its owner, quoted. */
  readonly newName: string;
  readonly owner: string;
}

/** A database in which searches would miss letters, and how to get a good one. */
export interface FoldingFault {
  /** What is wrong, as a sentence. */
  readonly message: string;
  /** What to do about it, with the statement that makes a good database. */
  readonly advice: string;
}

/**
 * Tells why searches would miss letters in this database; undefined when they do not.
 *
 * `contains` and its like compare what `lower()` returns. In the locale C that folds only ASCII letters: `contains "münchen"` misses
 * `MÜNCHEN`, and `not_contains` matches too many contacts. A database that is not in UTF-8 cannot store every text.
 */
export async function findFoldingFault(db: Database): Promise<FoldingFault | undefined> {
  const { rows } = await sql<TextSettings>`
    select getdatabaseencoding() as encoding, current_setting('server_version_num')::int as version,
      quote_ident(left(current_database(), 55) || '_utf8') as "newName", quote_ident(current_user) as owner`.execute(
    db,
  );
  const settings = rows[0]!;
  if (settings.encoding !== 'UTF8') {
    const message = `The encoding of the database is ${settings.encoding}, which cannot hold every text. Roster needs UTF8.`;
    return { message, advice: adviceFor(settings) };
  }
  // After the encoding is known: other encodings refuse a statement that contains these letters.
  const { rows: folding } = await sql<{ folds: boolean }>`select lower('Ü') = 'ü' as folds`.execute(db);
  if (folding[0]!.folds) return undefined;
  const message =
    'The locale of the database does not fold letter case beyond ASCII (lower(\'Ü\') is not \'ü\'): a search for "münchen" would miss "MÜNCHEN".';
  return { message, advice: adviceFor(settings) };
}

function adviceFor({ version, newName, owner }: TextSettings): string {
  // PostgreSQL 17 brings its own C.UTF-8. Older versions take the one of the system.
  const locale =
    version >= 170_000 ? "locale 'C' locale_provider builtin builtin_locale 'C.UTF-8'" : "locale 'C.UTF-8'";
  const statement = `create database ${newName} owner ${owner} template template0 encoding 'UTF8' ${locale};`;
  return `Make another database and name it in DATABASE_URL: ${statement} If this database holds data, move it with pg_dump and pg_restore.`;
}
