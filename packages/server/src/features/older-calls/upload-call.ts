import { Faults } from '@roster/contract';
import { importFromUrl } from '#features/imports/routes/import-from-url.ts';
import { ApiError, faultsError, invalidRequest } from '#platform/errors/api-error.ts';
import type { OlderCall, OlderRequest } from '#platform/http/older-calls/older-calls.ts';
import { isEmpty } from '#platform/http/parameters/parameters.ts';
import { readListId } from './read-parameters.ts';

/** Begins an import that fetches a CSV file from the URL in `path`. */
export const uploadCall: OlderCall = {
  type: 'contact',
  activity: 'bulkupload',
  permission: 'imports:write',
  async handle({ context }, request) {
    const { accountId, author } = request.credential;
    const faults = new Faults();
    const url = readText(request, 'path', faults);
    if (url === undefined) faults.add('required', 'is required. Send the URL of a CSV file', 'path');
    const listId = readListId(request, faults);
    const notifyEmail = readText(request, 'notifyemail', faults);
    if (faults.count > 0) throw faultsError(faults);
    try {
      return await importFromUrl(context, accountId, { url: url!, listId, notifyEmail }, author);
    } catch (error) {
      throw withParameters(error);
    }
  },
};

function readText({ parameters }: OlderRequest, name: 'path' | 'notifyemail', faults: Faults): string | undefined {
  const given = parameters[name];
  if (isEmpty(given)) return undefined;
  return typeof given === 'string' ? given.trim() : faults.add('invalid_type', 'must be a string', name);
}

/** The parameters of the call by the fields of an import. */
const parameterOf: Readonly<Record<string, string>> = {
  source_url: 'path',
  'audience_ids[0]': 'listid',
  notify_email: 'notifyemail',
};

/** Names the parameters of the call in an error, instead of the fields of an import. */
function withParameters(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'invalid_request') return error;
  return invalidRequest(error.faults.map((fault) => ({ ...fault, field: parameterOf[fault.field] ?? fault.field })));
}
