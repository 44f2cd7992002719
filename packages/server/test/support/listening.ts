import type { AddressInfo } from 'node:net';
import type { TestService } from './service.ts';

/** Makes a service listen on a free loopback port, and returns its URL. */
export async function listening({ app }: TestService): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}
