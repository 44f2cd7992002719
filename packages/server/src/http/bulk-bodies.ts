import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Faults } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { bodyLimit, decodeUtf8, jsonMediaType, parseJson } from './json.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a body of lines: where its records stand. */
    bodyLines: BodyLines | null;
  }
}

/** Where the records of a body of lines stand. */
export interface BodyLines {
  /** The line of each record, counted from 1; blank lines have no record. */
  readonly numbers: readonly number[];
  /** Indexes of the records whose lines are no JSON. */
  readonly broken: ReadonlySet<number>;
}

/** Media type of a body with one JSON value a line. */
export const ndjson = 'application/x-ndjson';

const unpack = promisify(gunzip);

/**
 * Makes the operations of a scope read bulk bodies: JSON, or `application/x-ndjson` with at most `mostRecords` records, one a line, which is
 * read as `{data: [records]}`. Both may be packed with gzip; the limit of bodies holds for what they unpack to.
 */
export function useBulkBodies(app: FastifyInstance, mostRecords: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    jsonMediaType,
    { parseAs: 'buffer', bodyLimit },
    async (request: FastifyRequest, body: Buffer) => parseJson(decodeUtf8(await unpacked(request, body))),
  );
  app.addContentTypeParser(
    /^application\/(?:x-)?ndjson(?:\s*;|$)/i,
    { parseAs: 'buffer', bodyLimit },
    async (request: FastifyRequest, body: Buffer) => {
      const { records, lines } = parseLines(decodeUtf8(await unpacked(request, body)), mostRecords);
      request.bodyLines = lines;
      return { data: records };
    },
  );
}

async function unpacked({ headers }: FastifyRequest, body: Buffer): Promise<Buffer> {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return body;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') throw new ApiError('unsupported_content_encoding');
  try {
    return await unpack(body, { maxOutputLength: bodyLimit });
  } catch (cause) {
    if (cause instanceof RangeError) throw new ApiError('body_too_large', { cause });
    const reason = 'it is not packed with gzip, or is cut off, although Content-Encoding says gzip';
    throw new ApiError('invalid_json', { params: { reason }, cause });
  }
}

/** Reads one record a line, at most one more than `most`: so many are a fault of their own, and what follows is not worth reading. */
function parseLines(text: string, most: number): { records: unknown[]; lines: BodyLines } {
  const records: unknown[] = [];
  const numbers: number[] = [];
  const broken = new Set<number>();
  for (let from = 0, number = 1; from < text.length && records.length <= most; number++) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? text.length : end).trim();
    from = end === -1 ? text.length : end + 1;
    if (line === '') continue;
    try {
      records.push(JSON.parse(line));
    } catch {
      broken.add(records.length);
      records.push(null);
    }
    numbers.push(number);
  }
  return { records, lines: { numbers, broken } };
}

/** Makes the faults of a body of lines name the lines: `line 17.identity` instead of `data[16].identity`. */
export function nameLines({ bodyLines }: FastifyRequest, { list }: Faults): void {
  if (bodyLines === null) return;
  const { numbers, broken } = bodyLines;
  for (const [at, fault] of list.entries()) {
    const match = /^data\[(\d+)\](.*)$/s.exec(fault.field);
    if (match === null) continue;
    const index = Number(match[1]);
    const field = `line ${numbers[index]}${match[2]}`;
    list[at] = broken.has(index)
      ? { code: 'invalid_format', field, message: 'is not valid JSON; each line must be one record' }
      : { ...fault, field };
  }
}
