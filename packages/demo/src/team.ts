import { randomBytes } from 'node:crypto';
import { createOperatorClient, type AccountOperator, type OperatorClient } from '@roster/client';
import type { DemoService } from './service.ts';

/** The owner of the demo. Every start of the demo makes another password. */
export const owner = {
  name: 'Asha Rao',
  email: 'asha@example.com',
  password: randomBytes(16).toString('base64url'),
} as const;

/** Account 1, as the people of the demo use it. So the audit log names people. */
export interface Team {
  readonly owner: AccountOperator;
  readonly editor: AccountOperator;
  readonly privacy: AccountOperator;
}

const members = [
  { name: 'Mina Okafor', email: 'mina@example.com', role: 'admin', unmasked: true },
  { name: 'Lucas Martin', email: 'lucas@example.com', role: 'editor', unmasked: false },
  { name: 'Elena Rossi', email: 'elena@example.com', role: 'privacy', unmasked: true },
  { name: 'Tom Fischer', email: 'tom@example.com', role: 'viewer', unmasked: false },
] as const;

/** Makes the owner and the members, and an invitation that nobody has accepted yet. */
export async function createTeam(service: DemoService): Promise<Team> {
  const browser = createBrowser(service);
  await browser.signIn.withPassword({ email: owner.email, password: owner.password });
  await browser.me.update({ name: owner.name });
  const team = new Map([['owner', await accountOf(service, browser)]]);
  for (const { name, email, role, unmasked } of members) {
    const { link } = await team.get('owner')!.invitations.create({ email, role, unmasked });
    const other = createBrowser(service);
    const token = link!.slice(link!.indexOf('#token=') + '#token='.length);
    await other.signIn.acceptInvitation({ token, name, password: randomBytes(16).toString('base64url') });
    team.set(role, await accountOf(service, other));
  }
  await team.get('owner')!.invitations.create({ email: 'noor@example.com', role: 'editor' });
  return { owner: team.get('owner')!, editor: team.get('editor')!, privacy: team.get('privacy')! };
}

/** Returns account 1 with a personal access token of the person who is signed in. */
async function accountOf({ url, signal }: DemoService, browser: OperatorClient): Promise<AccountOperator> {
  const { token } = await browser.me.tokens.create({ name: 'Scripts on my laptop' });
  return createOperatorClient({ url, token, signal }).account(1);
}

/** Creates a client that keeps its cookies, as a browser does. */
function createBrowser({ url, signal }: DemoService): OperatorClient {
  const cookies = new Map<string, string>();
  return createOperatorClient({
    url,
    signal,
    async fetch(address, init) {
      const headers = new Headers(init?.headers);
      headers.set('origin', url);
      headers.set('cookie', Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; '));
      const response = await fetch(address, { ...init, headers });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
        cookies.set(name!, value!);
      }
      return response;
    },
  });
}
