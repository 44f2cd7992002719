import { operationTable, type OperationId } from '@roster/contract/operations';
import { markup, type Markup } from '#platform/text/markup.ts';
import { dereference, json, type Answer, type OpenApiDocument } from '../../openapi/document.ts';
import { codeBlock, renderMarkdown } from '../markdown/markdown.ts';
import { bodyOf, credentialPlaceOf, curlOf, parametersOf, type PlacedOperation } from './example-request.ts';
import { factsView, fieldsView, typeOf } from './shape-view.ts';
import { resolveOutside } from './resolve-outside.ts';
import { tryForm } from './try-form.ts';

/** Renders one operation: its texts on the left, examples and the form to try it on the right. */
export function operationView(document: OpenApiDocument, placed: PlacedOperation): Markup {
  const { operation, path, method } = placed;
  const { operationId: id, summary } = operation;
  const success = successOf(placed);
  return markup`<section class="operation" id="${id}" aria-labelledby="${id}-title">
<div>
<h2 id="${id}-title">${summary}<a class="anchor" href="#${id}" aria-label="Link to ${summary}">#</a></h2>
<p class="address"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
${needs(placed)}${renderMarkdown(operation.description, { resolve: resolveOutside, prefix: `${id}-` })}
${parametersView(document, placed)}${bodyView(document, placed)}${answerView(document, success)}${errorsView(document, placed)}
</div>
<div class="examples">
<h3>Request</h3>
${codeBlock(curlOf(document, placed))}
${answerExample(success)}${tryForm(document, placed)}
</div>
</section>
`;
}

/** Returns the status and the description of the success. */
function successOf({ operation }: PlacedOperation): readonly [status: string, answer: Answer] {
  return Object.entries(operation.responses).find(([status]) => status.startsWith('2')) as [string, Answer];
}

function needs(placed: PlacedOperation): Markup {
  const { permission } = operationTable[placed.operation.operationId as OperationId];
  if (permission === undefined) return markup`<p class="needs">Needs no credential.</p>\n`;
  if (credentialPlaceOf(placed) !== 'operatorToken')
    return markup`<p class="needs">Needs an API key with the scope <code>${permission}</code>.</p>\n`;
  const who = {
    'any-account': markup`Needs a permission in any account. The answer has only your accounts.`,
    'signed-in': markup`For a person, with the session or a personal access token.`,
    installation: markup`Needs the operator token, or an installation administrator.`,
  }[permission as string];
  return markup`<p class="needs">${who ?? markup`Needs the permission <code>${permission}</code>.`}</p>\n`;
}

function parametersView(document: OpenApiDocument, placed: PlacedOperation): Markup {
  const items = parametersOf(document, placed).map(({ name, in: place, required = false, description, schema }) => {
    const mark = required ? markup` <span class="required">required</span>` : markup``;
    const shape = { ...dereference(document, schema), ...(description === undefined ? {} : { description }) };
    return markup`<li><p><code>${name}</code> <span class="type">${typeOf(document, schema)}, in the ${place}</span>${mark}</p>${factsView(shape)}</li>\n`;
  });
  return items.length === 0 ? markup`` : markup`<h3>Parameters</h3>\n<ul class="fields">${items}</ul>\n`;
}

function bodyView(document: OpenApiDocument, placed: PlacedOperation): Markup {
  const body = bodyOf(document, placed);
  if (body === undefined) return markup``;
  const { media } = body;
  const types = Object.keys(placed.operation.requestBody?.content ?? {}).map((type) => markup`<code>${type}</code> `);
  const fields =
    'properties' in dereference(document, media.schema) ? fieldsView(document, media.schema) : factsView(media.schema);
  return markup`<h3>Body</h3>\n<p class="limits">${types}</p>\n${fields}`;
}

function answerView(document: OpenApiDocument, [status, answer]: readonly [string, Answer]): Markup {
  const media = answer.content?.[json];
  const types = Object.keys(answer.content ?? {}).map((type) => markup`<code>${type}</code> `);
  const fields =
    media === undefined
      ? markup``
      : markup`<details><summary>Fields of the answer</summary>${fieldsView(document, media.schema)}</details>\n`;
  const text = renderMarkdown(answer.description, { resolve: resolveOutside });
  return markup`<h3>Answer</h3>\n<p class="limits">Status ${status} ${types}</p>\n${text}${fields}`;
}

function answerExample([status, answer]: readonly [string, Answer]): Markup {
  const [media] = Object.values(answer.content ?? {});
  const value = media?.example ?? Object.values(media?.examples ?? {})[0]?.value;
  if (value === undefined) return markup``;
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
  return markup`<h3>Answer ${status}</h3>\n${codeBlock(text)}`;
}

function errorsView(document: OpenApiDocument, { operation }: PlacedOperation): Markup {
  const rows = Object.entries(operation.responses)
    .filter(([status]) => !status.startsWith('2'))
    .map(([status, answer]) => {
      const { description } =
        '$ref' in answer
          ? document.components.responses![answer.$ref.slice('#/components/responses/'.length)]!
          : answer;
      return markup`<tr><td>${status}</td><td>${renderMarkdown(description, { resolve: resolveOutside })}</td></tr>\n`;
    });
  return markup`<details><summary>Errors</summary><table><thead><tr><th scope="col">Status</th><th scope="col">Codes</th></tr></thead><tbody>${rows}</tbody></table></details>\n`;
}
