import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Faults } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { takeFlatItems, takeLines, type TakeItem } from './flat-items.ts';
import { bodyLimit, decodeUtf8, jsonMediaType, parseJson, tryJson } from './json.ts';
import { packingOf } from './packing.ts';

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

/** Takes the records of a body one at a time, so that each is garbage before the next is read. */
export interface RecordTaker<Taken> {
  /** Takes the record whose JSON begins at a place of the body, which is UTF-8; answers the place behind it, or -1 when something is wrong with it. */
  take: TakeItem;
  /** What became of the records; called once, when all were taken. */
  taken(): Taken;
}

/** What `request.body` is when all records were taken; otherwise it is what was sent, and the reader of its shape says what is wrong with it. */
export class TakenRecords<Taken> {
  readonly records: Taken;

  constructor(records: Taken) {
    this.records = records;
  }
}

const unpack = promisify(gunzip);

/**
 * Makes the operations of a scope read bulk bodies: JSON, or `application/x-ndjson` with at most `mostRecords` records, one a line, which is
 * read as `{data: [records]}`. Both may be packed with gzip; the limit of bodies holds for what they unpack to.
 *
 * Ten thousand objects at once would be copied by the garbage collector again and again, so records are given to a taker one by one; it is
 * told how many bytes there are of them. Whatever is not in order is read a second time, as a whole.
 */
export function useBulkBodies(
  app: FastifyInstance,
  mostRecords: number,
  newTaker: (bytes: number) => RecordTaker<unknown>,
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    jsonMediaType,
    { parseAs: 'buffer', bodyLimit },
    async (request: FastifyRequest, body: Buffer) => {
      const json = await unpacked(request, body);
      return takeAll(json, takeFlatItems) ?? parseJson(decodeUtf8(json));
    },
  );
  app.addContentTypeParser(
    /^application\/(?:x-)?ndjson(?:\s*;|$)/i,
    { parseAs: 'buffer', bodyLimit },
    async (request: FastifyRequest, body: Buffer) => {
      const lines = await unpacked(request, body);
      const taken = takeAll(lines, takeLines);
      if (taken !== undefined) return taken;
      const { records, lines: bodyLines } = parseLines(decodeUtf8(lines), mostRecords);
      request.bodyLines = bodyLines;
      return { data: records };
    },
  );

  /** Gives the records that `walk` finds to a taker; undefined when they are not 1 to `mostRecords`, or one of them is not in order. */
  function takeAll(body: Buffer, walk: (body: Buffer, take: TakeItem) => boolean): TakenRecords<unknown> | undefined {
    if (!isUtf8(body)) return undefined;
    const taker = newTaker(body.length);
    let count = 0;
    const isTaken = walk(body, (bytes, from) => (++count > mostRecords ? -1 : taker.take(bytes, from)));
    return isTaken && count > 0 ? new TakenRecords(taker.taken()) : undefined;
  }
}

async function unpacked({ headers }: FastifyRequest, body: Buffer): Promise<Buffer> {
  const packing = packingOf(headers);
  if (packing === 'none') return body;
  if (packing === 'other') throw new ApiError('unsupported_content_encoding');
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
  everyLine(text, (line, number) => {
    const record = tryJson(line);
    if (record === undefined) broken.add(records.length);
    records.push(record ?? null);
    numbers.push(number);
    return records.length <= most;
  });
  return { records, lines: { numbers, broken } };
}

/** Gives the lines of a text that are not blank, without the space around them, and their numbers to `take` until that is false; true when all were given. */
function everyLine(text: string, take: (line: string, number: number) => boolean): boolean {
  for (let from = 0, number = 1; from < text.length; number++) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? text.length : end).trim();
    from = end === -1 ? text.length : end + 1;
    if (line !== '' && !take(line, number)) return false;
  }
  return true;
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
