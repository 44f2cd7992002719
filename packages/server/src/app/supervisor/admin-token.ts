import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { type Config, ConfigError } from '#platform/config/config.ts';
import { writeSecret } from '@roster/embedded-postgres';
import { prepareDirectory } from '#platform/database/embedded-postgres.ts';
import { systemErrorCode } from '#platform/errors/system-error-code.ts';

/** The operator token. `file` is undefined if the token comes from the environment. */
export interface AdminToken {
  readonly token: string;
  readonly file: string | undefined;
}

/**
 * Returns the operator token: `ROSTER_ADMIN_TOKEN`, or the token in `admin-token` in the data
 * directory. The first start generates that file. Only its owner can read it.
 *
 * Throws a {@link ConfigError} if the file is not valid, and `EmbeddedPostgresError` if the data
 * directory cannot be used.
 */
export async function loadAdminToken(config: Pick<Config, 'adminToken' | 'dataDir'>): Promise<AdminToken> {
  if (config.adminToken !== undefined) return { token: config.adminToken, file: undefined };
  const file = path.join(await prepareDirectory(config.dataDir), 'admin-token');
  const kept = await readTokenFile(file);
  if (kept !== undefined) return { token: kept, file };
  try {
    await writeSecret(file, randomBytes(24).toString('base64url'));
  } catch (error) {
    // Another process has created the file since. Its token is used.
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  }
  return { token: (await readTokenFile(file)) ?? '', file };
}

/**
 * Reads the operator token from a file. Returns undefined if there is no file. Throws a
 * {@link ConfigError} if the file cannot be read or is not valid.
 */
export async function readTokenFile(file: string): Promise<string | undefined> {
  let token: string;
  try {
    token = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw new ConfigError([
      `The operator token in ${file} cannot be read (${systemErrorCode(error)}). Check the owner and the permissions of the file.`,
    ]);
  }
  // The same rule as for ROSTER_ADMIN_TOKEN, because the file may be written by hand.
  if (/^[\x21-\x7e]{32,}$/.test(token)) return token;
  throw new ConfigError([
    `The operator token in ${file} must have at least 32 printable ASCII characters without spaces. Correct the file, or delete it to get a new token.`,
  ]);
}
