import { ExportAcceptedAnswer, ExportErrorAnswer, ErrorEntry, faultCodes } from '@roster/contract';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import pino from 'pino';
import { expect, test } from 'vitest';
import { operations } from '@roster/contract/operations';
import { anyEdit } from '../fuzz/any-edit.ts';
import { applyEdit, type Edit } from '../fuzz/edits.ts';
import { printTree, treeOf } from '../fuzz/json-tree.ts';
import { startExportService } from './export-service.ts';
import { cases, caseTimeout } from '../support/cases.ts';
import { forFile } from '../support/for-file.ts';

const bodies = cases(200);

const complaints: string[] = [];

const log = pino({ level: 'warn' }, { write: (line: string) => void complaints.push(line) });
const exports = await forFile(startExportService({ log }));
await exports.account.operator('PATCH', '', { settings: { rate_limit: 0 } });
const contacts = [{ identity: 'a@example.com', audience_details: [{ audience_id: 1 }] }];
await exports.account.createContacts(contacts);

const seeds = [
  ...Object.values(operations.exportAudience.examples!).map(({ value }) => value),
  {
    audience_details: { audience_type: 'LIST', audience_id: '1', attributes_needed: 'city', blocklist_type: 'phone' },
    callback_details: {
      method: 'patch',
      endpoint: 'https://hooks.example.com/x',
      header: [{ key: 'X-One', value: 'a' }, {}, { 'X-Two': 5, 'X-Three': true }],
      body: { a: [1, { b: null }] },
    },
  },
];

const ajv = new Ajv({ strict: false, validateFormats: false, schemas: [ErrorEntry] });
const isAccepted = ajv.compile(ExportAcceptedAnswer);
const isRefused = ajv.compile(ExportErrorAnswer);

function bodyOf(seed: number, edits: readonly Edit[]): string {
  return printTree(edits.reduce(applyEdit, treeOf(seeds[seed])));
}

test(
  `${bodies} hostile bodies get answers in the shape of v4, and each accepted export ends with a file`,
  { timeout: caseTimeout },
  async () => {
    const accepted: string[] = [];
    const hostile = fc.asyncProperty(
      fc.nat(seeds.length - 1),
      fc.array(anyEdit, { minLength: 1, maxLength: 4 }),
      async (seed, edits) => {
        const { status, body } = await exports.request(bodyOf(seed, edits));
        expect([200, 400, 413]).toContain(status);
        const conforms = status === 200 ? isAccepted : isRefused;
        expect(conforms(body), ajv.errorsText(conforms.errors)).toBe(true);
        expect(body.statusCode).toBe(status);
        if (status === 200) accepted.push(body.data.request_id);
        for (const { code } of body.data.errors ?? []) expect(faultCodes).toHaveProperty(code);
      },
    );
    await fc.assert(hostile, { numRuns: bodies });
    expect(complaints).toEqual([]);
    expect(accepted.length).toBeGreaterThan(bodies / 20);
    for (const requestId of accepted) expect((await exports.ended(requestId)).status).toBe('completed');
    expect(complaints).toEqual([]);
  },
);
