/** The mail server of `SMTP_URL`. Never log it or return it: it contains the password. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /**
   * `implicit`: TLS from the first byte (`smtps:`). The other values begin in plain text and use
   * STARTTLS: always (`required`), if the server offers it (`offered`), or never.
   */
  readonly tls: 'implicit' | 'required' | 'offered' | 'never';
  /** With false, any certificate is accepted; for test servers. */
  readonly verifyCertificate: boolean;
  /** The name that the service sends in EHLO; default: the name of the machine. */
  readonly clientName?: string;
  readonly login?: { readonly user: string; readonly password: string };
}

const parameters = ['requireTLS', 'ignoreTLS', 'tls.rejectUnauthorized', 'name'];

/**
 * Reads `smtp://user:password@host:port` or `smtps://…`. Default ports: 587 and 465.
 *
 * The query parameters have the names of nodemailer: `requireTLS`, `ignoreTLS`,
 * `tls.rejectUnauthorized` (true or false) and `name`. With a login, STARTTLS is required unless
 * `ignoreTLS=true`, so that no password is sent in plain text by default. Throws an Error whose
 * message says what is allowed, and contains no part of the URL.
 */
export function readSmtpServer(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['smtp:', 'smtps:'].includes(url.protocol)) {
    throw new Error('must be a URL that begins with smtp:// or smtps://. Percent-encode special characters');
  }
  if (url.hostname === '' || !['', '/'].includes(url.pathname) || url.hash !== '') {
    throw new Error('must have a host and no path, such as smtp://mail.example.com:587. Percent-encode / and #');
  }
  const unknown = [...url.searchParams.keys()].some((name) => !parameters.includes(name));
  if (unknown) throw new Error(`must have no parameters except ${parameters.join(', ')}`);
  const implicit = url.protocol === 'smtps:';
  const login = loginOf(url);
  const clientName = url.searchParams.get('name');
  if (clientName !== null && !/^[\w.:[\]-]{1,255}$/.test(clientName)) {
    throw new Error('must have a host name or an address in brackets as the value of name');
  }
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (implicit ? 465 : 587) : Number(url.port),
    tls: implicit ? 'implicit' : startTlsOf(url, login !== undefined),
    verifyCertificate: flagOf(url, 'tls.rejectUnauthorized') ?? true,
    ...(clientName === null ? {} : { clientName }),
    ...(login === undefined ? {} : { login }),
  };
}

function loginOf(url: URL): SmtpServer['login'] {
  if (url.username === '' && url.password === '') return undefined;
  if (url.username === '' || url.password === '') throw new Error('must have both a user and a password, or neither');
  try {
    return { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  } catch {
    throw new Error('must have a percent-encoded user and password. Write % as %25');
  }
}

function startTlsOf(url: URL, hasLogin: boolean): SmtpServer['tls'] {
  const required = flagOf(url, 'requireTLS');
  const ignored = flagOf(url, 'ignoreTLS') ?? false;
  if (required === true && ignored) throw new Error('must not both require and ignore TLS');
  if (ignored) return 'never';
  return (required ?? hasLogin) ? 'required' : 'offered';
}

function flagOf(url: URL, name: string): boolean | undefined {
  switch (url.searchParams.get(name)) {
    case null:
      return undefined;
    case 'true':
      return true;
    case 'false':
      return false;
    default:
      throw new Error(`must have true or false as the value of ${name}`);
  }
}
