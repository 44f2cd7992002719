/** Where the server's lines and what happens to it are logged; loggers of pino and bunyan fit. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const nothing = (): void => undefined;

/** Logs nothing. */
export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
