import { writeBigint, writeTimestamp } from './binary.ts';

/*
 * Arrays as parameters in PostgreSQL's binary form: node-postgres sends a Buffer as binary, whatever the parameter is. Elements are never null.
 */

const oids = { bigint: 20, smallint: 21, text: 25, timestamptz: 1184 } as const;
const header = 20;

/** A parameter for `$1::text[]`. */
export function textArray(values: readonly string[]): Buffer {
  // UTF-8 has at most three bytes for a unit of UTF-16.
  const bytes = values.reduce((sum, value) => sum + 4 + value.length * 3, header);
  const array = open(oids.text, values.length, bytes);
  let at = header;
  for (const value of values) {
    const length = array.write(value, at + 4);
    array.writeInt32BE(length, at);
    at += 4 + length;
  }
  return array.subarray(0, at);
}

/** A parameter for `$1::smallint[]`. */
export function smallintArray(values: readonly number[]): Buffer {
  return numbers(oids.smallint, 2, values, (array, value, at) => array.writeInt16BE(value, at));
}

/** A parameter for `$1::bigint[]`, of integers that a number holds exactly. */
export function bigintArray(values: readonly number[]): Buffer {
  return numbers(oids.bigint, 8, values, writeBigint);
}

/** A parameter for `$1::timestamptz[]`, of moments in milliseconds since 1970. */
export function timestampArray(values: readonly number[]): Buffer {
  return numbers(oids.timestamptz, 8, values, writeTimestamp);
}

type Write = (array: Buffer, value: number, at: number) => number;

function numbers(oid: number, size: number, values: readonly number[], write: Write): Buffer {
  const array = open(oid, values.length, header + values.length * (4 + size));
  let at = header;
  for (const value of values) at = write(array, value, array.writeInt32BE(size, at));
  return array;
}

function open(oid: number, count: number, bytes: number): Buffer {
  const array = Buffer.allocUnsafe(bytes);
  // One dimension, no nulls, and the elements are counted from 1.
  for (const [index, word] of [1, 0, oid, count, 1].entries()) array.writeInt32BE(word, index * 4);
  return array;
}
