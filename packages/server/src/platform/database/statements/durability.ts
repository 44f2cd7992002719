/**
 * SQL for the settings that let a server lose committed data when it crashes, as text such as
 * `fsync = off`; null when there are none. Accepted requests must not be lost. How commits wait for
 * standbys is the choice of the operator.
 */
export const losingSettings = `(select string_agg(name || ' = ' || setting, ', ' order by name) from pg_settings
  where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off')`;
