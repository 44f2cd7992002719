import { createReadStream } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';
import type { ContactSearch } from '@roster/client';
import { parseExactJson } from '@roster/contract';
import { CommandError, exitCodes, fileError } from './exit-codes.ts';
import { pathFromCaller } from './shell.ts';
import type { Terminal } from './terminal.ts';

/** The description of an argument or option that names a file. */
export const fileOrInput = 'file; - or nothing: standard input';

/** Opens a file, or standard input for `-` or nothing. On a terminal, says what it waits for. */
function openInput({ stdin, stderr }: Terminal, file: string | undefined): Readable {
  if (file !== undefined && file !== '-') return createReadStream(pathFromCaller(file));
  if (stdin.isTTY === true) stderr.write('Reading JSON from the terminal. End with Ctrl-D.\n');
  return stdin;
}

/** Names an input in messages. */
function nameOf(file: string | undefined): string {
  return file === undefined || file === '-' ? 'standard input' : file;
}

/** Reads a JSON document. Throws a {@link CommandError} if there is none. */
async function readDocument(terminal: Terminal, file: string | undefined): Promise<unknown> {
  let text = '';
  for await (const chunk of readable(terminal, file)) text += chunk;
  return parse(text, nameOf(file));
}

/** Reads a JSON object. */
export async function readObject<T extends object>(terminal: Terminal, file: string | undefined): Promise<T> {
  const value = await readDocument(terminal, file);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as T;
  throw new CommandError(exitCodes.usage, `${nameOf(file)} must contain a JSON object.`);
}

/**
 * Reads records: NDJSON (one JSON object on each line), which may be of any length, or a JSON array.
 * An integer above 2^53 becomes a string, so that it keeps its digits.
 * Stops reading, also from a terminal, with the reason of the signal when it is aborted.
 */
export async function* readRecords<T extends object>(
  terminal: Terminal,
  file: string | undefined,
  signal?: AbortSignal,
): AsyncGenerator<T, void> {
  const name = nameOf(file);
  let number = 0;
  let isFirst = true;
  const lines = linesOf(readable(terminal, file, signal));
  for await (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    if (isFirst && line.trimStart().startsWith('[')) {
      const rest: string[] = [line];
      for await (const other of lines) rest.push(other);
      const all = parse(rest.join('\n'), name, { read: parseExactJson });
      for (const one of all as readonly unknown[]) yield recordOf(one, name) as T;
      return;
    }
    isFirst = false;
    yield recordOf(parse(line, name, { read: parseExactJson, line: number }), name) as T;
  }
}

async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  yield rest;
}

/** A filter, as a file has it: of a segment, or the body of a search. */
export interface Filter {
  readonly filtering_criteria_operator?: 'and' | 'or';
  readonly filtering_criteria?: readonly never[];
}

/** The body of a search. */
export interface Search extends Filter {
  readonly output?: NonNullable<ContactSearch['output']>;
}

/**
 * Reads a search: the conditions, an object with them, or the body of a search, which the console
 * shows under **API call**.
 */
export async function readSearch(terminal: Terminal, file: string | undefined): Promise<Search> {
  const value = await readDocument(terminal, file);
  if (Array.isArray(value)) return { filtering_criteria: value as never[] };
  if (typeof value === 'object' && value !== null && 'filtering_criteria' in value) return value as Search;
  throw new CommandError(
    exitCodes.usage,
    `${nameOf(file)} must contain a filter: {"filtering_criteria": [{"condition_details": [...]}]}.`,
  );
}

/** Reads a filter, like {@link readSearch}. The output of a search is left out. */
export async function readFilter(terminal: Terminal, file: string | undefined): Promise<Filter> {
  const { output: _, ...filter } = await readSearch(terminal, file);
  return filter;
}

async function* readable(
  terminal: Terminal,
  file: string | undefined,
  signal?: AbortSignal,
): AsyncGenerator<string, void> {
  signal?.throwIfAborted();
  const input = openInput(terminal, file);
  if (signal !== undefined) addAbortSignal(signal, input);
  // Without `fatal`, bytes of another encoding would become U+FFFD, and be stored like this.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    // The decoder removes a byte order mark.
    for await (const chunk of input as AsyncIterable<Uint8Array | string>) {
      yield typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw new CommandError(exitCodes.usage, `${nameOf(file)} is not UTF-8. Save it as UTF-8.`, { cause: error });
    }
    throw fileError(nameOf(file), 'read', error);
  }
}

interface ParseOptions {
  readonly read?: (text: string) => unknown;
  /** The number of the line; undefined for a whole document. */
  readonly line?: number;
}

function parse(text: string, name: string, { read = JSON.parse, line }: ParseOptions = {}): unknown {
  try {
    return read(text);
  } catch (error) {
    const place = line === undefined ? name : `Line ${line} of ${name}`;
    const advice = line === undefined ? '' : ' Write one JSON object on each line, or one array.';
    throw new CommandError(exitCodes.usage, `${place} is not valid JSON: ${(error as Error).message}.${advice}`, {
      cause: error,
    });
  }
}

function recordOf(value: unknown, name: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new CommandError(exitCodes.usage, `${name} must contain JSON objects, not ${JSON.stringify(value)}.`);
}
