import type { SendMailOptions } from 'nodemailer';
import type { Config } from '#platform/config/config.ts';
import type { SmtpServer } from '#platform/config/smtp-server.ts';
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

/** Hands mails to a mail server, over a few connections that it keeps. Disposing it ends them. */
export interface Mailer extends AsyncDisposable {
  /**
   * Resolves when the server has taken the mail; throws an `SmtpFailure` otherwise, after {@link attemptTimeout} at the latest.
   * `signal` ends the attempt before its time (code `timeout`).
   */
  send(mail: OutgoingMail, signal?: AbortSignal): Promise<void>;
}

/** Milliseconds after which an attempt is given up, however slowly the server answers. */
const attemptTimeout = 60_000;

/** Most connections of one process; servers count them by address, and often allow ten. */
export const mailConnections = 4;

const connectTimeout = 10_000;
const idleTimeout = 20_000;

/** Makes the mailer of a process; undefined when no mail server is configured. */
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
          // As parts and not as text: what stands in `to` is one address, and is never read as several.
          to: { address: mail.to, name: '' },
          subject: asPlainText(mail.subject),
          text: mail.text,
          html: mail.html,
          date: mail.createdAt,
          messageId: messageIdOf(mail.mailId, from.address),
          // Keeps vacation responders quiet (RFC 3834).
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

/** Connects to the mail server, encrypts and logs in as for a mail, and sends none. Throws an `SmtpFailure`. */
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
  // Not before there is a mail: it costs some 80 ms and 15 MB, in every process that could send one.
  const { createTransport } = await import('nodemailer');
  // No logger: nodemailer's lines have addresses, and the texts of the server.
  const transport = createTransport({ pool: true, ...connectionOptions(server), ...limits });
  return {
    sendMail: (message: SendMailOptions) => transport.sendMail(message),
    close: () => transport.close({ force: true }),
  };
}

/**
 * The Message-ID of a mail: the same at every attempt, so that a receiver can drop a mail that reaches it twice.
 *
 * It happens when a process dies after the server took the mail and before that was recorded.
 */
function messageIdOf(mailId: string, senderAddress: string): string {
  return `<${mailId}@${senderAddress.slice(senderAddress.lastIndexOf('@') + 1)}>`;
}

/** A subject that reads as it stands: text in the form of RFC 2047 would be decoded by its readers, and say something else. */
function asPlainText(subject: string): string {
  // An invisible character (U+2060, word joiner) between the two that begin such a form.
  return subject.replaceAll('=?', '=\u2060?');
}

const limits = {
  maxConnections: mailConnections,
  // A kept connection that the server has dropped meanwhile: once more on a new one.
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
    ...(clientName === undefined ? {} : { name: clientName }),
    ...(login === undefined ? {} : { auth: { user: login.user, pass: login.password } }),
  };
}
