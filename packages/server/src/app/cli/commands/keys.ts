import type { Command } from 'commander';
import { table } from '../terminal/output.ts';
import { openSession, positiveInteger, withAccount, type AccountOptions } from '../terminal/session.ts';
import { requireConfirmation, type Terminal } from '../terminal/terminal.ts';
import { scopes, type Scope } from '@roster/contract';
import { InvalidArgumentError } from 'commander';

/** Adds `roster keys`: list, create and revoke. */
export function addKeyCommands(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('API keys of an account');

  withAccount(keys.command('list'))
    .description('list the keys, without their secret parts')
    .addHelpText('after', '\nExample:\n  roster keys list --account 1')
    .action(async (options: AccountOptions) => {
      const { account, output } = await openSession(terminal, options);
      const found = await (await account()).apiKeys.list({ limit: 500 }).all();
      await output.result(found, () =>
        table(
          output,
          ['KEY', 'NAME', 'BEGINS', 'STATUS', 'EXPIRES', 'SCOPES'],
          found.map((key) => [
            key.api_key_id,
            key.name,
            key.key_hint,
            key.status,
            key.expires_at,
            key.scopes.join(' '),
          ]),
        ),
      );
    });

  withAccount(keys.command('create').argument('<name>', 'what the key is for'))
    .option(
      '--scope <scope>',
      `a right of the key: ${scopes.join(', ')} (repeatable; default: all except unmasked)`,
      readScope,
    )
    .option('--expires-at <moment>', 'when the key stops working, such as 2027-01-01T00:00:00Z')
    .description('create a key and write it to standard output; it is shown only once')
    .addHelpText(
      'after',
      '\nExample:\n  export ROSTER_API_KEY=$(roster keys create "Website" --scope contacts:write --scope contacts:read)',
    )
    .action(async (name: string, options: AccountOptions & { scope?: Scope[]; expiresAt?: string }) => {
      const { account, output } = await openSession(terminal, options);
      const made = await (
        await account()
      ).apiKeys.create({
        name,
        ...(options.scope === undefined ? {} : { scopes: options.scope }),
        ...(options.expiresAt === undefined ? {} : { expires_at: options.expiresAt }),
      });
      await output.result(made, () => made.api_key);
      if (!output.json) await output.note(`Created key ${made.api_key_id}. Keep it: it is shown only once.`);
    });

  withAccount(keys.command('revoke').argument('<api_key_id>', 'number of the key', positiveInteger))
    .option('-y, --yes', 'do not ask for confirmation')
    .description('revoke a key; this cannot be undone')
    .addHelpText('after', '\nExample:\n  roster keys revoke 2 --yes')
    .action(async (apiKeyId: number, options: AccountOptions & { yes?: boolean }) => {
      const { account, output } = await openSession(terminal, options);
      const owner = await account();
      await requireConfirmation(terminal, options, `Revoke key ${apiKeyId} of account ${owner.accountId}?`);
      await owner.apiKeys.revoke(apiKeyId);
      await output.result({ api_key_id: apiKeyId, status: 'revoked' }, () => `Revoked key ${apiKeyId}.`);
    });
}

function readScope(text: string, before: readonly string[] = []): readonly string[] {
  if ((scopes as readonly string[]).includes(text)) return [...before, text];
  throw new InvalidArgumentError(`It must be one of ${scopes.join(', ')}.`);
}
