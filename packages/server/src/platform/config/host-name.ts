/**
 * The host name in a `Host` header or a setting: without port and final dot, in lower case. An IPv6 address has brackets.
 * undefined when the text is not a host.
 */
export function hostNameOf(text: string): string | undefined {
  if (text === '*') return undefined;
  const isBareIpv6 = /^[\da-f:.]*:[\da-f:.]*:[\da-f:.]*$/i.test(text);
  if (!isBareIpv6 && !/^(?:[\w.~%-]+|\[[\da-f:.]+\])(?::\d*)?$/i.test(text)) return undefined;
  const url = `http://${isBareIpv6 ? `[${text}]` : text}`;
  const name = URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : '';
  return name === '' ? undefined : name;
}

/** Reads a list of hosts, separated by commas; `*` stands for every host. Throws an Error whose message says what is allowed. */
export function readHosts(text: string): readonly string[] {
  const hosts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return hosts.map((host) => {
    const name = host === '*' ? host : hostNameOf(host);
    if (name === undefined || /:\d+$/.test(name)) {
      throw new Error('must be host names or IP addresses, separated by commas, such as `roster.internal, 10.0.0.5`');
    }
    return name;
  });
}
