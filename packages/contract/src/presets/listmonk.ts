import { optOutColumn, textColumn, type ImportPreset } from './import-preset.ts';

/** The export of subscribers of listmonk. `attributes` has a JSON object. */
export const listmonk: ImportPreset = {
  id: 'listmonk',
  title: 'listmonk: subscribers',
  signature: ['uuid', 'email', 'name', 'attributes', 'status'],
  columns: {
    uuid: textColumn('LISTMONK_UUID'),
    email: 'EMAIL',
    name: textColumn('NAME'),
    attributes: { json: true },
    status: optOutColumn({ enabled: 'nothing', disabled: 'opt_out', blocklisted: 'opt_out', blacklisted: 'opt_out' }),
    created_at: { field: 'CREATED_AT', date_format: 'ymd' },
    updated_at: null,
  },
  optOut: [],
};
