import type pg from 'pg';

/**
 * Tables whose rows a backup does not contain: sessions, unfinished sign-ins, and links that set a
 * password. Otherwise a restore would bring back sessions and links that were ended since.
 */
export const signInTables = ['sessions', 'sign_in_steps', 'sign_in_limits', 'password_resets', 'set_up_links'] as const;

/**
 * Ends all sessions, unfinished sign-ins and links of a restored database. Files of earlier versions
 * and the WAL archive contain them. Backups from before version 26 of the schema have no such table.
 */
export async function endSignIns(client: pg.ClientBase): Promise<void> {
  for (const name of signInTables) {
    const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [name]);
    if (rows[0]!.found) await client.query(`delete from ${name}`);
  }
}
