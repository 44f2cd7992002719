/** Types for the part of the package that the tests use. The package has no types. */
declare module '@20minutes/s3rver' {
  interface KoaContext {
    readonly method: string;
    readonly path: string;
    readonly query: Readonly<Record<string, string | undefined>>;
    status: number;
    body: unknown;
  }

  export default class S3rver {
    readonly httpServer: import('node:http').Server;
    constructor(options: {
      readonly address: string;
      readonly port: number;
      readonly silent: boolean;
      readonly directory: string;
      readonly configureBuckets: readonly { readonly name: string; readonly configs: readonly string[] }[];
    });
    allowMismatchedSignatures: boolean;
    readonly middleware: ((context: KoaContext, next: () => Promise<void>) => Promise<void>)[];
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}
