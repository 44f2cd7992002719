import type { SideAccount } from './side-account.ts';
import type { Chore } from './side-work.ts';
import { until } from '../wait.ts';

const rowsPerFile = 1500;

/** Imports: the file is sent until it is accepted, and each of its rows must be applied once. */
export class Imports implements Chore {
  readonly name = 'imports';
  readonly waiting = 0;
  done = 0;
  readonly #account: SideAccount;
  #number = 0;

  constructor(account: SideAccount) {
    this.#account = account;
  }

  async step(): Promise<void> {
    const number = ++this.#number;
    const at = `/admin/v1/accounts/${this.#account.accountId}/imports`;
    const options = {
      file_name: `${number}.csv`,
      audience_ids: [this.#account.lists.imports],
      unknown_columns: 'create',
    };
    const created = await this.#account.sendUntilAnswered('POST', at, options);
    if (!this.#account.succeeded('an import', created)) return;
    const path = `${at}/${String(created.body['import_id'])}`;
    const rows = Array.from({ length: rowsPerFile }, (_, row) => `import-${number}-${row}@example.com,${row}`);
    const sent = await this.#account.sendUntilAnswered(
      'PUT',
      `${path}/file`,
      `EMAIL,ROW_NUMBER\r\n${rows.join('\r\n')}\r\n`,
    );
    // If the answer to an upload was lost, its repeat is refused with 409.
    if (sent.status !== 409) this.#account.succeeded('the file of an import', sent);
    const ended = await until(
      'an import ends',
      240_000,
      async () => {
        const { body } = await this.#account.sendUntilAnswered('GET', path);
        return ['completed', 'failed', 'cancelled'].includes(String(body['status'])) ? body : undefined;
      },
      250,
    );
    this.done++;
    const { total, created: made, failed } = ended['counts'] as Record<string, number>;
    if (ended['status'] === 'completed' && total === rowsPerFile && made === rowsPerFile && failed === 0) return;
    this.#account.problems.push(
      `imports: ${JSON.stringify({ status: ended['status'], counts: ended['counts'], failure: ended['failure'] })}`,
    );
  }

  async verify(): Promise<void> {
    const list = `/admin/v1/accounts/${this.#account.accountId}/lists/${this.#account.lists.imports}`;
    const { body } = await this.#account.sendUntilAnswered('GET', list);
    const expected = this.done * rowsPerFile;
    if (body['member_count'] === expected) return;
    this.#account.problems.push(`imports: the list has ${String(body['member_count'])} members instead of ${expected}`);
  }
}
