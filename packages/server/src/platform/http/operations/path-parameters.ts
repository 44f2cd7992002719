import { maxInteger } from '@roster/contract';
import type { TObject } from 'typebox';
import { notFound } from '#platform/errors/api-error.ts';

/** True for a UUID, in any letter case. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** Makes the reader of the parameters of a path: integers and UUIDs. An invalid id gets 404. */
export function paramsValidator(schema: TObject) {
  const params = Object.entries(schema.properties).map(([name, shape]) => ({
    name,
    read: (shape as { type?: string }).type === 'integer' ? readId : readUuid,
  }));
  return (input: Readonly<Record<string, string>>) => {
    const value: Record<string, string | number> = {};
    for (const { name, read } of params) {
      const id = read(input[name] ?? '');
      if (id === undefined) {
        const form = read === readId ? 'a number' : 'a UUID';
        const what = `${name.replace(/_id$/, '').replaceAll('_', ' ')} with this ${name}, which is ${form}`;
        return { error: notFound(what) };
      }
      value[name] = id;
    }
    return { value };
  };
}

function readId(text: string): number | undefined {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= maxInteger ? Number(text) : undefined;
}

function readUuid(text: string): string | undefined {
  return isUuid(text) ? text.toLowerCase() : undefined;
}
