import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { readSmtpServer, type SmtpServer } from '#platform/config/smtp-server.ts';

/** A mail as the server received it. */
export interface ReceivedMail {
  /** Sender and recipients of the SMTP dialogue. */
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  /** The bytes of the mail, as Latin-1 text. */
  readonly raw: string;
  /** The mail as a mail program parses it. */
  readonly parsed: Email;
  readonly user: string | undefined;
  readonly secure: boolean;
}

/** The reply of the server to a step. Undefined means that it accepts. */
export interface Reply {
  readonly code: number;
  readonly text: string;
}

/** The behaviour of a server. Its functions are called for every step, in order. */
export interface SmtpBehaviour {
  /** Port. Default: a free one. */
  readonly port?: number;
  readonly options?: SMTPServerOptions;
  readonly onRecipient?: (address: string) => Reply | undefined;
  readonly onSender?: (address: string) => Reply | undefined;
  /** Called with each mail before the server accepts it. The server waits for the result. */
  readonly onMail?: (mail: ReceivedMail) => Reply | undefined | Promise<Reply | undefined>;
}

/** A real mail server in this process. */
export interface TestSmtp extends AsyncDisposable {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** The maximum number of connections that were open at the same time. */
  readonly mostConnections: number;
  /**
   * Returns the configuration for a URL of this server. `login` and `query` are as in `SMTP_URL`.
   */
  address(parts?: { scheme?: string; login?: string; query?: string }): SmtpServer;
}

/** Starts a mail server on loopback. Without options it offers neither TLS nor logins. */
export async function startSmtp(behaviour: SmtpBehaviour = {}): Promise<TestSmtp> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  let mostConnections = 0;
  const server = new SMTPServer({
    logger: false,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    ...behaviour.options,
    onMailFrom: ({ address }, _session, done) => done(errorOf(behaviour.onSender?.(address))),
    onRcptTo: ({ address }, _session, done) => done(errorOf(behaviour.onRecipient?.(address))),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => void accept(Buffer.concat(chunks), session, done));
    },
  });

  async function accept(raw: Buffer, session: SMTPServerSession, done: (error?: Error) => void): Promise<void> {
    const { mailFrom, rcptTo } = session.envelope;
    const mail: ReceivedMail = {
      envelope: { from: mailFrom === false ? '' : mailFrom.address, to: rcptTo.map(({ address }) => address) },
      raw: raw.toString('latin1'),
      parsed: await PostalMime.parse(raw),
      user: session.user as string | undefined,
      secure: session.secure,
    };
    const reply = await behaviour.onMail?.(mail);
    if (reply === undefined) mails.push(mail);
    done(errorOf(reply));
  }

  server.on('error', () => undefined);
  server.server.on('connection', (socket) => {
    sockets.add(socket);
    mostConnections = Math.max(mostConnections, sockets.size);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(behaviour.port ?? 0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    mails,
    get mostConnections() {
      return mostConnections;
    },
    address: ({ scheme = 'smtp', login = '', query = '' } = {}) =>
      readSmtpServer(`${scheme}://${login}127.0.0.1:${port}${query}`),
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function errorOf(reply: Reply | undefined): Error | undefined {
  return reply === undefined ? undefined : Object.assign(new Error(reply.text), { responseCode: reply.code });
}
