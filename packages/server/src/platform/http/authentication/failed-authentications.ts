import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Metrics } from '#platform/observability/metrics.ts';
import { createMinuteLine } from '#platform/observability/minute-line.ts';
import { ApiError } from '#platform/errors/api-error.ts';

/** What a caller authenticates with. */
type CredentialKind = 'api_key' | 'operator_token';

/** Counts failed authentications, and limits them by address. */
export interface FailedAuthentications {
  /**
   * Counts a failure and returns its error: `error`, or `too_many_failed_authentications` beyond the limit.
   *
   * Every credential is checked first, whatever its address has done. A valid one must work for everybody behind a proxy, and checking many keys
   * costs the database one query at a time.
   */
  fail(address: string, kind: CredentialKind, error: ApiError): ApiError;
  /** Logs what was counted since the last line. */
  flush(): void;
}

/** Failures of one address in a minute; beyond it they get 429. */
const failuresPerMinute = 100;

const minute = 60_000;

// Addresses beyond this number push out the oldest. It bounds the memory.
const mostAddresses = 10_000;

interface Record {
  minuteFrom: number;
  failures: number;
}

/** Makes the counter of a process. It writes at most one line a minute to the log, without addresses. */
export function createFailedAuthentications(
  { log, metrics }: { readonly log: Logger; readonly metrics: Pick<Metrics, 'failedAuthentications'> },
  clock: () => number = () => performance.now(),
): FailedAuthentications {
  const records = new LRUCache<string, Record>({ max: mostAddresses });
  const line = createMinuteLine(log, 'authentications failed in the last minute', ['failures', 'limited']);

  function recordOf(address: string): Record {
    const key = networkOf(address);
    const now = clock();
    let record = records.get(key);
    if (record === undefined) {
      record = { minuteFrom: now, failures: 0 };
      records.set(key, record);
    }
    if (now - record.minuteFrom >= minute) Object.assign(record, { minuteFrom: now, failures: 0 });
    return record;
  }

  function limited(record: Record, kind: CredentialKind): ApiError {
    count(kind, 'limited');
    const seconds = Math.max(1, Math.ceil((record.minuteFrom + minute - clock()) / 1000));
    return new ApiError('too_many_failed_authentications', {
      params: { seconds },
      headers: { 'retry-after': String(seconds) },
    });
  }

  function count(kind: CredentialKind, outcome: 'refused' | 'limited'): void {
    metrics.failedAuthentications.inc({ credential: kind, outcome });
    if (outcome === 'limited') line.count('failures', 'limited');
    else line.count('failures');
  }

  return {
    fail(address, kind, error) {
      const record = recordOf(address);
      if (++record.failures > failuresPerMinute) return limited(record, kind);
      count(kind, 'refused');
      return error;
    },
    flush: () => line.flush(),
  };
}

/** An IPv4 address, or the network of an IPv6 address: one customer of a provider has a /64 of them. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, 8).join('.');
}

/** Logs what is left when an application closes. */
export function logFailuresAtClose(app: FastifyInstance, failures: FailedAuthentications): void {
  app.addHook('onClose', async () => failures.flush());
}
