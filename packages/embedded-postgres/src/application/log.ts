/** A logger for the lines and the events of the server. Loggers of pino and bunyan fit. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const nothing = (): void => undefined;

/** A logger that logs nothing. */
export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
