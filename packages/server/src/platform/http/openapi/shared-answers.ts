import { json, type Answer, type OpenApiDocument, operationsOf, type Reference, type SchemaNode } from './document.ts';

/**
 * Moves error responses that occur more than once to the components. Otherwise they would be most
 * of the document.
 *
 * The name of a shared response consists of its shape and errors, such as `InvalidApiKey` or
 * `UnavailableOrSearchTimeout`.
 */
export function shareErrorAnswers(document: OpenApiDocument): void {
  const byName = Map.groupBy(errorPlaces(document), ({ name }) => name);
  const shared: [string, Answer][] = [];
  for (const [name, places] of byName) {
    const texts = new Set(places.map(({ answer }) => JSON.stringify(answer)));
    if (texts.size > 1 || places.length < 2) continue;
    shared.push([name, places[0]!.answer]);
    for (const { responses, status } of places) responses[status] = { $ref: `#/components/responses/${name}` };
  }
  document.components.responses = Object.fromEntries(shared.sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface ErrorPlace {
  readonly name: string;
  readonly responses: Record<string, Answer | Reference>;
  readonly status: string;
  readonly answer: Answer;
}

function* errorPlaces(document: OpenApiDocument): Generator<ErrorPlace> {
  for (const { operation } of operationsOf(document)) {
    for (const [status, answer] of Object.entries(operation.responses)) {
      if (Number(status) < 400 || '$ref' in answer) continue;
      const { schema, examples = {} } = answer.content?.[json] ?? {};
      const name = `${generation(schema)}${Object.keys(examples).map(pascalCase).join('Or')}`;
      yield { name, responses: operation.responses, status, answer };
    }
  }
}

/** Returns the prefix of an error shape: `Export` for `ExportErrorAnswer`, or none. */
function generation(schema: SchemaNode | undefined): string {
  return /(\w*)ErrorAnswer$/.exec(String(schema?.['$ref']))?.[1] ?? '';
}

function pascalCase(code: string): string {
  return code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
