import type { SendMailOptions } from 'nodemailer';
import type { Config } from '#platform/config/config.ts';
import type { SmtpServer } from '#platform/config/smtp-server.ts';
import { minute } from '#platform/time/intervals.ts';
import { given } from '#platform/given.ts';
import { smtpFailureOf } from './smtp-failure.ts';

/** A mail that is ready to be sent. */
interface OutgoingMail {
  readonly mailId: string;
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly createdAt: Date;
}

declare module '#platform/context.ts' {
  interface Context {
    /** Sends mails; undefined when no mail server is configured. */
    readonly mailer: Mailer | undefined;
  }
}

/** Sends mails over a pool of connections to a mail server. Disposing it closes the connections. */
export interface Mailer extends AsyncDisposable {
  /**
   * Sends a mail. Resolves when the server has accepted the mail. Throws an `SmtpFailure`, with the
   * code `timeout` after {@link attemptTimeout} or when `signal` is aborted.
   */
  send(mail: OutgoingMail, signal?: AbortSignal): Promise<void>;
}

/** Maximum milliseconds of an attempt. */
const attemptTimeout = minute;

/** Maximum connections of a process. Many servers allow ten connections from an address. */
export const mailConnections = 4;

const connectTimeout = 10_000;
const idleTimeout = 20_000;

/** Creates the mailer of a process; undefined when no mail server is configured. */
export function createMailer({ smtpServer, mailFrom }: Pick<Config, 'smtpServer' | 'mailFrom'>): Mailer | undefined {
  if (smtpServer === undefined) return undefined;
  if (mailFrom === undefined) throw new Error('a mail server needs config.mailFrom');
  const from = { address: mailFrom.address, name: mailFrom.name ?? '' };
  let transport: ReturnType<typeof openTransport> | undefined;
  return {
    async send(mail, signal) {
      const timeout = AbortSignal.timeout(attemptTimeout);
      transport ??= openTransport(smtpServer);
      const { sendMail } = await transport;
      try {
        await sendMail({
          from,
          // Pass an object. nodemailer could find several addresses in a string.
          to: { address: mail.to, name: '' },
          subject: asPlainText(mail.subject),
          text: mail.text,
          html: mail.html,
          date: mail.createdAt,
          messageId: messageIdOf(mail.mailId, from.address),
          // Prevents automatic replies, such as vacation notices (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated' },
          disableFileAccess: true,
          disableUrlAccess: true,
          signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        });
      } catch (error) {
        throw smtpFailureOf(error);
      }
    },
    async [Symbol.asyncDispose]() {
      (await transport)?.close();
    },
  };
}

/** Connects to the mail server and logs in, but sends no mail. Throws an `SmtpFailure`. */
export async function verifyMailServer(server: SmtpServer): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ ...connectionOptions(server), ...limits });
  try {
    await transport.verify();
  } catch (error) {
    throw smtpFailureOf(error);
  } finally {
    transport.close();
  }
}

async function openTransport(server: SmtpServer) {
  // Load the library with the first mail, because this takes about 80 ms and 15 MB.
  const { createTransport } = await import('nodemailer');
  // Without a logger: the log lines of nodemailer contain addresses and texts of the server.
  const transport = createTransport({ pool: true, ...connectionOptions(server), ...limits });
  return {
    sendMail: (message: SendMailOptions) => transport.sendMail(message),
    close: () => transport.close({ force: true }),
  };
}

/**
 * Returns the Message-ID of a mail. It is the same in every attempt, so that a receiver can
 * recognise a mail that was sent twice. That happens when a process dies before it stores that a
 * mail was sent.
 */
function messageIdOf(mailId: string, senderAddress: string): string {
  return `<${mailId}@${senderAddress.slice(senderAddress.lastIndexOf('@') + 1)}>`;
}

/**
 * Prevents mail programs from decoding text in a subject that looks like an encoded word of RFC
 * 2047.
 */
function asPlainText(subject: string): string {
  // Puts an invisible word joiner (U+2060) between the two characters that begin an encoded word.
  return subject.replaceAll('=?', '=\u2060?');
}

const limits = {
  maxConnections: mailConnections,
  // If the server has closed an idle connection, try once more on a new one.
  maxRequeues: 1,
  idleTimeout,
  connectionTimeout: connectTimeout,
  dnsTimeout: connectTimeout,
  greetingTimeout: 20_000,
  socketTimeout: 30_000,
  socketCloseTimeout: 1000,
  maxResponseSize: 65_536,
};

function connectionOptions({ host, port, tls, verifyCertificate, clientName, login }: SmtpServer) {
  return {
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'never',
    tls: { rejectUnauthorized: verifyCertificate },
    ...given({ name: clientName, auth: login && { user: login.user, pass: login.password } }),
  };
}
