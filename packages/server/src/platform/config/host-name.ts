import { commaList } from './values/comma-list.ts';

/**
 * Returns the host name in a `Host` header or a setting, in lower case, without port and final dot.
 * An IPv6 address has brackets. Returns undefined when the text is not a host.
 */
export function hostNameOf(text: string): string | undefined {
  if (text === '*') return undefined;
  const isBareIpv6 = /^[\da-f:.]*:[\da-f:.]*:[\da-f:.]*$/i.test(text);
  if (!isBareIpv6 && !/^(?:[\w.~%-]+|\[[\da-f:.]+\])(?::\d*)?$/i.test(text)) return undefined;
  const url = `http://${isBareIpv6 ? `[${text}]` : text}`;
  const name = URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : '';
  return name === '' ? undefined : name;
}

/** Reads hosts, separated by commas; `*` is every host. Throws an Error with the valid forms. */
export function readHosts(text: string): readonly string[] {
  return commaList(text).map((host) => {
    const name = host === '*' ? host : hostNameOf(host);
    if (name === undefined || /:\d+$/.test(name)) {
      throw new Error('must be host names or IP addresses, separated by commas, such as `roster.internal, 10.0.0.5`');
    }
    return name;
  });
}
