/**
 * SQL for the settings because of which a server can lose what it has committed when it crashes, as text such as `fsync = off`; null when
 * there are none. What is answered with 200 must not be lost; what a standby confirms is the operator's choice.
 */
export const losingSettings = `(select string_agg(name || ' = ' || setting, ', ' order by name) from pg_settings
  where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off')`;
