import type { ActivityRecord } from '@roster/contract';
import { readBigint } from '#platform/database/values/binary.ts';
import { endOfField, fieldAt } from '#platform/database/values/tuple-writer.ts';
import { channelOf, kindOf } from './activity-numbers.ts';
import { packedColumns } from './packed.ts';
import { channelNumberAt, momentAt } from './packed-tuple.ts';

const columns = packedColumns.split(', ');

/**
 * A record as people read it, from its identity and its tuple, which begins at a place of packed activities; without the `id` of its sender, of
 * which only a hash is kept.
 */
export function unpackActivity(identity: string, bytes: Buffer, begin: number): Omit<ActivityRecord, 'id'> {
  const fields = fieldsOf(bytes, begin);
  const number = fields['message_id'];
  const hard = fields['hard_bounce'];
  return {
    identity,
    channel: channelOf(channelNumberAt(bytes, begin)),
    activity: kindOf(fields['activity']!.readInt16BE()),
    occurred_at: new Date(momentAt(bytes, begin)).toISOString(),
    ...(number === undefined ? {} : { message_id: readBigint(number, 0) }),
    ...(hard === undefined ? {} : { bounce_type: hard[0] === 1 ? 'hard' : 'soft' }),
    ...texts(fields),
  };
}

type Fields = Readonly<Record<string, Buffer | undefined>>;

function fieldsOf(bytes: Buffer, begin: number): Fields {
  let at = begin;
  return Object.fromEntries(
    columns.map((column) => {
      const field = fieldAt(bytes, at);
      at = endOfField(bytes, at);
      return [column, field];
    }),
  );
}

const textColumns = ['msg_name', 'ip', 'device', 'os', 'browser', 'link'] as const;

function texts(fields: Fields): { [Column in (typeof textColumns)[number]]?: string } {
  return Object.fromEntries(
    textColumns.flatMap((column) => {
      const field = fields[column];
      return field === undefined ? [] : [[column, field.toString()]];
    }),
  );
}
