import type { Command } from 'commander';
import { confirmed } from '../terminal/confirmed.ts';
import { table } from '../terminal/output.ts';
import { gather, openSession, positiveInteger, withAccount, type AccountOptions } from '../terminal/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { scopes, type Scope } from '@roster/contract';
import { InvalidArgumentError } from 'commander';

/** `roster keys`: list, create, revoke. */
export function addKeyCommands(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('API keys of an account');

  withAccount(keys.command('list'))
    .description('list the keys, never the secrets themselves')
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
      `a right of the key: ${scopes.join(', ')} (repeatable; default: all but unmasked)`,
      readScope,
    )
    .option('--expires-at <moment>', 'when it stops working, such as 2027-01-01T00:00:00Z')
    .description('make a key; it is written to standard output, this once')
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
      if (!output.json) await output.note(`Key ${made.api_key_id} was made. Keep it: it is shown this once.`);
    });

  withAccount(keys.command('revoke').argument('<api_key_id>', 'number of the key', positiveInteger))
    .option('-y, --yes', 'do not ask')
    .description('make a key stop working, for good')
    .addHelpText('after', '\nExample:\n  roster keys revoke 2 --yes')
    .action(async (apiKeyId: number, options: AccountOptions & { yes?: boolean }) => {
      const { account, output } = await openSession(terminal, options);
      const owner = await account();
      await confirmed(terminal, options, `Revoke key ${apiKeyId} of account ${owner.accountId}?`);
      await owner.apiKeys.revoke(apiKeyId);
      await output.result({ api_key_id: apiKeyId, status: 'revoked' }, () => `Key ${apiKeyId} is revoked.`);
    });
}

function readScope(text: string, before: readonly string[] | undefined): readonly string[] {
  if ((scopes as readonly string[]).includes(text)) return gather(text, before);
  throw new InvalidArgumentError(`It must be one of ${scopes.join(', ')}.`);
}
