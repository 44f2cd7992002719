import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchService } from './support.ts';

/**
 * Requests or removes indexes on attributes of account 1, and waits until all indexes are built or
 * dropped.
 */
export async function indexAttributes(service: BenchService, wanted: Readonly<Record<string, boolean>>): Promise<void> {
  for (const { id, name } of await attributes(service)) {
    if (name in wanted) await service.operator('PATCH', `/attributes/${id}`, { indexed: wanted[name] });
  }
  for (;;) {
    const statuses = new Set((await attributes(service)).map(({ index_status }) => index_status));
    if (statuses.has('failed')) throw new Error('an index could not be built');
    if (!statuses.has('building')) return;
    await sleep(100);
  }
}

async function attributes(service: BenchService): Promise<{ id: number; name: string; index_status: string }[]> {
  return (await service.operator('GET', '/attributes?limit=500'))['data'] as never;
}
