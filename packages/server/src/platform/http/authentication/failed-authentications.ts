import { LRUCache } from 'lru-cache';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Metrics } from '#platform/observability/metrics.ts';
import { createMinuteLine } from '#platform/observability/minute-line.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { minute } from '#platform/time/intervals.ts';
import { networkOf } from '#platform/http/connection/network-of.ts';

/** The kind of credential of a caller. */
type CredentialKind = 'api_key' | 'operator_token';

/** Counts failed authentications and limits them for each address. */
export interface FailedAuthentications {
  /**
   * Counts a failure and returns `error`, or `too_many_failed_authentications` beyond the limit.
   *
   * Check every credential first, even of a limited address. A valid credential must work for
   * everyone behind a proxy, and many lookups of keys need only one query at a time.
   */
  fail(address: string, kind: CredentialKind, error: ApiError): ApiError;
  /** Logs the counts since the last line. */
  flush(): void;
}

/** Number of failures of one address in a minute; more get 429. */
const failuresPerMinute = 100;

// Limits the memory: when there are more addresses, the oldest is forgotten.
const maxAddresses = 10_000;

interface Record {
  minuteFrom: number;
  failures: number;
}

/** Makes the counter of a process. It logs at most one line a minute, without addresses. */
export function createFailedAuthentications(
  { log, metrics }: { readonly log: Logger; readonly metrics: Pick<Metrics, 'failedAuthentications'> },
  clock: () => number = () => performance.now(),
): FailedAuthentications {
  const records = new LRUCache<string, Record>({ max: maxAddresses });
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

/** Logs the remaining counts when an application closes. */
export function logFailuresAtClose(app: FastifyInstance, failures: FailedAuthentications): void {
  app.addHook('onClose', async () => failures.flush());
}
