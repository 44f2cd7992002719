import { markup, type Markup } from '#platform/text/markup.ts';
import { type OpenApiDocument, operationsOf } from '../../openapi/document.ts';
import { renderInline, renderMarkdown } from '../markdown/markdown.ts';
import type { PlacedOperation } from './example-request.ts';
import { operationView } from './operation-view.ts';
import { resolveOutside } from './resolve-outside.ts';

/** A group of operations, which has a page. */
export interface OperationGroup {
  /** Last part of the address, such as `api-keys`. */
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly operations: readonly PlacedOperation[];
}

/** Returns the groups of the document, in its order. */
export function groupsOf(document: OpenApiDocument): OperationGroup[] {
  const all = [...operationsOf(document)].map(({ method, ...rest }) => ({ ...rest, method: method.toUpperCase() }));
  return document.tags.map(({ name, description = '' }) => ({
    slug: name.toLowerCase().replaceAll(/\W+/g, '-'),
    name,
    description,
    operations: all.filter(({ operation }) => operation.tags[0] === name),
  }));
}

/** Renders the first page of the reference: the rules that all operations share, and all groups. */
export function overviewPage(document: OpenApiDocument, groups: readonly OperationGroup[]): Markup {
  const list = groups.map(
    ({
      slug,
      name,
      description,
      operations,
    }) => markup`<section class="group"><h3><a href="/docs/api/${slug}">${name}</a></h3>
<p>${renderInline(description, resolveOutside)}</p>
<ul>${operations.map(({ operation, method }) => markup`<li><span class="method ${method.toLowerCase()}">${method}</span> <a href="/docs/api/${slug}#${operation.operationId}">${operation.summary}</a></li>\n`)}</ul></section>
`,
  );
  return markup`<h1>API reference</h1>
<p>All operations, made from <a href="/openapi.json">the OpenAPI document</a> of this service. On each page you can send requests to it.</p>
<h2 id="operations">Operations</h2>
<div class="groups">${list}</div>
<h2 id="rules">Rules for all operations</h2>
${renderMarkdown((document.info.description ?? '').replaceAll(/^## /gm, '### '), { resolve: resolveOutside })}`;
}

/** Renders the page of a group with all its operations. */
export function groupPage(document: OpenApiDocument, { name, description, operations }: OperationGroup): Markup {
  return markup`<h1>${name}</h1>
<p>${renderInline(description, resolveOutside)}</p>
${operations.map((operation) => operationView(document, operation))}`;
}
