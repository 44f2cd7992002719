import { mailErrors, type MailErrorCode } from '@roster/contract';
import type { NodemailerError } from 'nodemailer';

/** A failed attempt to send a mail. It does not keep the server's text, which quotes addresses. */
export class SmtpFailure extends Error {
  override readonly name = 'SmtpFailure';
  readonly code: MailErrorCode;
  /** The reply code of the server, such as `550 5.1.1`. */
  readonly reply: string | undefined;

  constructor(code: MailErrorCode, reply?: string) {
    super(mailErrors[code].message);
    this.code = code;
    this.reply = reply;
  }
}

/**
 * Converts an error of nodemailer.
 *
 * A refusal is final only if it is about this recipient or this message (RFC 5321: a reply from 500
 * to 599 to RCPT TO or DATA). Errors that an operator can fix are retried, whatever the reply code:
 * the login, the sender, the encryption.
 */
export function smtpFailureOf(error: unknown): SmtpFailure {
  if (!(error instanceof Error)) return new SmtpFailure('server_error');
  const failure: NodemailerError = error;
  return new SmtpFailure(codeOf(failure), replyOf(failure));
}

function codeOf(error: NodemailerError): MailErrorCode {
  const { code, command, responseCode, permanent } = error;
  if (code === 'EABORT' || code === 'ETIMEDOUT') return 'timeout';
  if (code === 'ETLS' || code === 'EREQUIRETLS' || isTlsError(error)) return 'tls_failed';
  // 530 requires a login or STARTTLS (RFC 4954, RFC 3207). Any command can get it.
  if (code === 'EAUTH' || code === 'ENOAUTH' || responseCode === 530) return 'login_refused';
  if (responseCode === undefined) return code === 'EMESSAGE' ? 'message_refused' : codeWithoutReply(code);
  if (permanent !== true) return 'deferred';
  if (command === 'MAIL FROM') return 'sender_refused';
  if (command === 'RCPT TO') return 'recipient_refused';
  return command === 'DATA' ? 'message_refused' : 'server_error';
}

function codeWithoutReply(code: string | undefined): MailErrorCode {
  return ['ECONNECTION', 'ESOCKET', 'EDNS'].includes(code ?? '') ? 'server_unreachable' : 'server_error';
}

/** Errors of certificates and handshakes. nodemailer reports them as errors of the socket. */
function isTlsError({ code, originalCode }: NodemailerError): boolean {
  const cause = originalCode ?? code ?? '';
  return /CERT|^ERR_(?:TLS|SSL)|^EPROTO$|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|^HOSTNAME_MISMATCH$/.test(cause);
}

/** Returns the reply code, and the status code of RFC 3463 if the server sent one. */
function replyOf({ response }: NodemailerError): string | undefined {
  return response === undefined
    ? undefined
    : /^[2-5]\d\d(?:[ -][245]\.\d{1,3}\.\d{1,3})?/.exec(response)?.[0].replace('-', ' ');
}
