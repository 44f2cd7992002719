import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { type Config, ConfigError } from '#platform/config/config.ts';
import { writeSecret } from '@roster/embedded-postgres';
import { prepareDirectory } from '#platform/database/embedded-postgres.ts';
import { systemErrorCode } from '#platform/errors/system-error-code.ts';

/** The operator token, and the file that holds it when it was generated. */
export interface AdminToken {
  readonly token: string;
  readonly file: string | undefined;
}

/**
 * The token of the operator API: `ROSTER_ADMIN_TOKEN`, else the one in `admin-token` in the data directory,
 * which is made at the first start, readable by the owner only.
 *
 * Throws a {@link ConfigError} when that file holds something else, `EmbeddedPostgresError` when the directory cannot be used.
 */
export async function loadAdminToken(config: Pick<Config, 'adminToken' | 'dataDir'>): Promise<AdminToken> {
  if (config.adminToken !== undefined) return { token: config.adminToken, file: undefined };
  const file = path.join(await prepareDirectory(config.dataDir), 'admin-token');
  const kept = await readTokenFile(file);
  if (kept !== undefined) return { token: kept, file };
  try {
    await writeSecret(file, randomBytes(24).toString('base64url'));
  } catch (error) {
    // A service that starts at the same time was faster; its token is the one.
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  }
  return { token: (await readTokenFile(file)) ?? '', file };
}

/** The operator token in a file; undefined when there is no file. Throws a {@link ConfigError} when it cannot be read, or holds something else. */
export async function readTokenFile(file: string): Promise<string | undefined> {
  let token: string;
  try {
    token = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw new ConfigError([`The operator token in ${file} cannot be read (${systemErrorCode(error)}).`]);
  }
  // The same rule as for ROSTER_ADMIN_TOKEN: somebody may have written the file by hand.
  if (/^[\x21-\x7e]{32,}$/.test(token)) return token;
  throw new ConfigError([
    `The operator token in ${file} must have at least 32 printable ASCII characters without spaces. Correct the file, or remove it to get a new token.`,
  ]);
}
