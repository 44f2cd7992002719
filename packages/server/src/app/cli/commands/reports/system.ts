import type { RosterCommand } from '../../terminal/command.ts';
import { bytes } from '../../terminal/output.ts';
import { writeRecord } from '../../terminal/records.ts';

/** Adds `roster system`. */
export function addSystemCommand(program: RosterCommand): void {
  program
    .command('system')
    .described('show the versions and the state of the installation', 'roster system')
    .onService(async ({ operator, output }) => {
      const found = await operator.system();
      const { database, disk } = found;
      // People read sizes with a unit. With --json, they are bytes.
      const shown = {
        ...found,
        database: { ...database, size: bytes(database.size) },
        disk: { total: bytes(disk.total), free: bytes(disk.free) },
      };
      await writeRecord(output, output.json ? found : shown);
    });
}
