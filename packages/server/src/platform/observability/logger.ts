import { createRequire } from 'node:module';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from '#platform/config/config.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';

/** Makes the logger of a process. It writes JSON lines, or readable text on a terminal. */
export function createLogger(
  config: Pick<Config, 'logLevel' | 'logFormat'>,
  name: string,
  stream: typeof process.stdout | typeof process.stderr = process.stdout,
): Logger {
  const options = {
    level: config.logLevel,
    name,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: unknown) => (error instanceof Error ? describeError(error) : error) },
  };
  const isText = config.logFormat === 'auto' ? stream.isTTY : config.logFormat === 'text';
  return pino(options, isText ? terminal(stream) : pino.destination({ dest: stream.fd, sync: true }));
}

/** Makes lines such as `10:46:28 INFO  roster api: listening  url=http://127.0.0.1:8080`. */
function terminal(stream: NodeJS.WritableStream & { readonly isTTY?: boolean }): DestinationStream {
  // Loaded only when needed: services write JSON.
  const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
  const format = prettyFactory({
    colorize: stream.isTTY === true && process.env['NO_COLOR'] === undefined,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid',
    singleLine: true,
    errorLikeObjectKeys: [],
  });
  // Written directly, not through a stream of pino, so that the start banner comes last.
  return { write: (line) => void stream.write(format(line)) };
}
