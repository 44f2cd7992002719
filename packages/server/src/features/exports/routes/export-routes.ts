import { ExportAcceptedAnswer, ExportAudienceBody } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import type { Service } from '#platform/http/server/service.ts';
import { serveV4 } from '#platform/http/operations/v4.ts';
import { exportExamples } from './examples.ts';
import { requestExport } from './request-export.ts';

const description = 'The export request was created';

/** Audience export (interface §4.3, decisions §5). */
export function exportRoutes(app: FastifyInstance, { context }: Service): void {
  serveV4(app, {
    path: '/v4/audience/export',
    operationId: 'exportAudience',
    tag: 'Exports',
    summary: 'Export an audience',
    description:
      'Writes the contacts of a list or segment to a CSV file (RFC 4180, UTF-8): a header row, then one row a contact in the order of `contact_id`, all as they are at one moment. A value that is not there is an empty cell. Blacklisted contacts are included unless `blocklist_type` leaves them out. Masked attributes come out masked unless the API key has the scope `unmasked`.\n\nThe answer says that the export is stored. When it has ended, the endpoint of `callback_details` is called and `notify_email` gets a mail; both carry a signed address, from which the file can be downloaded for 7 days. The content type may be left out.',
    scope: 'export',
    body: ExportAudienceBody,
    examples: exportExamples,
    answer: ExportAcceptedAnswer,
    callback: {
      address: '{$request.body#/callback_details/endpoint}',
      description:
        'Sent once, when the export has ended. With the method `GET` there is no body: its fields are query parameters, and `callbackBody` is JSON.',
      shape: 'ExportReport',
    },
    errors: ['idempotency_conflict', 'too_many_exports'],
    async handle(request) {
      const request_id = await requestExport(context, request);
      return { data: { status: 'success', description, request_id }, message: description, statusCode: 200 };
    },
  });
}
