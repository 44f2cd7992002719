/** Returns the link that creates the first owner. `baseUrl` is the address of the service. */
export function setUpLink(baseUrl: string, token: string): string {
  // The part after # is never sent to a server, so it is in no log.
  return `${baseUrl}/console/set-up#token=${token}`;
}
