import { defaultScopes, scopes, type Scope } from '@roster/contract';
import { InvalidArgumentError } from 'commander';
import { given } from '#platform/given.ts';
import type { RosterCommand } from '../../terminal/command.ts';
import { writeAll } from '../../terminal/records.ts';
import { positiveInteger } from '../../terminal/session.ts';

/** Adds `roster keys`: list, create and revoke. */
export function addKeyCommands(program: RosterCommand): void {
  const keys = program.command('keys').description('API keys of an account');

  keys
    .command('list')
    .described('list the keys, without their secret parts', 'roster keys list --account 1')
    .onAccount(({ account, output }) =>
      writeAll(output, (page) => account.apiKeys.list(page), {
        KEY: (one) => one.api_key_id,
        NAME: (one) => one.name,
        BEGINS: (one) => one.key_hint,
        STATUS: (one) => one.status,
        EXPIRES: (one) => one.expires_at,
        SCOPES: (one) => one.scopes.join(' '),
      }),
    );

  keys
    .command('create')
    .argument('<name>', 'what the key is for')
    .option(
      '--scope <scope>',
      `a right of the key: ${scopes.join(', ')} (repeatable; default: ${defaultScopes.join(', ')})`,
      readScope,
    )
    .option('--expires-at <moment>', 'when the key stops working, such as 2027-01-01T00:00:00Z')
    .described(
      'create a key and write it to standard output; it is shown only once',
      'export ROSTER_API_KEY=$(roster keys create "Website" --scope contacts:write --scope contacts:read)',
    )
    .onAccount<{ scope?: Scope[]; expiresAt?: string }, [string]>(
      async ({ account, output, options: { scope, expiresAt } }, name) => {
        const made = await account.apiKeys.create({ name, ...given({ scopes: scope, expires_at: expiresAt }) });
        await output.result(made, () => made.api_key);
        if (!output.json) await output.note(`Created key ${made.api_key_id}. Keep it: it is shown only once.`);
      },
    );

  keys
    .command('revoke')
    .argument('<api_key_id>', 'number of the key', positiveInteger)
    .confirmed()
    .described('revoke a key; this cannot be undone', 'roster keys revoke 2 --yes')
    .onAccount<object, [number]>(async ({ account, output, confirm }, apiKeyId) => {
      await confirm(`Revoke key ${apiKeyId} of account ${account.accountId}?`);
      await account.apiKeys.revoke(apiKeyId);
      await output.result({ api_key_id: apiKeyId, status: 'revoked' }, () => `Revoked key ${apiKeyId}.`);
    });
}

function readScope(text: string, before: readonly string[] = []): readonly string[] {
  if ((scopes as readonly string[]).includes(text)) return [...before, text];
  throw new InvalidArgumentError(`It must be one of ${scopes.join(', ')}.`);
}
