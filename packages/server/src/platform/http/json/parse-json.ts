import { parseExactJson } from '@roster/contract';
import { ApiError } from '#platform/errors/api-error.ts';

// Removes a byte order mark. Invalid UTF-8 is an error; without `fatal`, it would become U+FFFD.
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a body as UTF-8; throws `invalid_json` when it is not UTF-8. */
export function decodeUtf8(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch (cause) {
    throw new ApiError('invalid_json', { params: { reason: 'it is not UTF-8' }, cause });
  }
}

/** Matches the media types of JSON, with or without parameters. */
export const jsonMediaType = /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i;

/** Parses JSON; returns undefined when the text is not JSON. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses JSON as {@link parseExactJson} does; returns undefined when the text is not JSON. */
export function tryExactJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

/** Parses JSON; throws `invalid_json`. Its reason does not quote the text. */
export function parseJson(text: string): unknown {
  if (text.trim() === '') throw new ApiError('invalid_json', { params: { reason: 'it is empty' } });
  try {
    return JSON.parse(text);
  } catch (cause) {
    const position = cause instanceof Error ? /position (\d+)/.exec(cause.message)?.[1] : undefined;
    const reason =
      position === undefined
        ? 'it ends too early or has a syntax error'
        : `there is a syntax error at character ${position}${adviceAt(text, Number(position))}`;
    throw new ApiError('invalid_json', { params: { reason } });
  }
}

/** Returns advice for the most common mistakes. It does not quote the text. */
function adviceAt(text: string, position: number): string {
  const character = text[position];
  if (character === "'") return '. Use double quotes instead of single quotes';
  const isEnd = character === '}' || character === ']';
  return isEnd && text.slice(0, position).trimEnd().endsWith(',') ? '. Remove the comma before it' : '';
}
