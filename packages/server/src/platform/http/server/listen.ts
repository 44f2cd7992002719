import { ConfigError, type Config } from '#platform/config/config.ts';

/**
 * Lets a server listen on the address and port of the settings. Throws a {@link ConfigError} if
 * `HOST` is a name without an address, otherwise the error of `listen`.
 */
export async function listenOn(
  { host, port }: Pick<Config, 'host' | 'port'>,
  listen: (place: { readonly host: string; readonly port: number }) => Promise<unknown>,
): Promise<void> {
  try {
    await listen({ host, port });
  } catch (error) {
    if ((error as { syscall?: unknown }).syscall !== 'getaddrinfo') throw error;
    throw new ConfigError([`HOST must be an IP address of this machine, or a name that has one. ${host} has none.`]);
  }
}
