import { markup, type Markup } from '#platform/text/markup.ts';
import type { OpenApiDocument, Parameter } from '../../openapi/document.ts';
import {
  bodyOf,
  credentialPlaceOf,
  parametersOf,
  type CredentialPlace,
  type PlacedOperation,
} from './example-request.ts';

/** The credentials that a form offers, by the place where the operation takes them. */
const offered: Readonly<Record<CredentialPlace, readonly (readonly [value: string, label: string])[]>> = {
  apiKey: [['api-key', 'API key']],
  apiKeyParameter: [['apikey', 'API key']],
  operatorToken: [
    ['session', 'Your sign-in to the console'],
    ['bearer', 'Personal access token or operator token'],
    ['api-key', 'API key'],
  ],
  none: [],
};

/**
 * Renders the form that sends a request to this service. The script of the pages reads it:
 * `data-method` and `data-path` of the form, and the names of its fields (`path:account_id`).
 */
export function tryForm(document: OpenApiDocument, placed: PlacedOperation): Markup {
  const { operation, path, method } = placed;
  // An event stream never ends, so there would be no answer to show.
  if (Object.values(operation.responses).some((answer) => 'content' in answer && 'text/event-stream' in answer.content))
    return markup``;
  const body = bodyOf(document, placed);
  const parameters = parametersOf(document, placed);
  return markup`<details class="try"><summary>Try it</summary>
<form data-method="${method}" data-path="${path}" data-type="${body?.type ?? ''}">
${credentialFields(credentialPlaceOf(placed))}${parameters.map(parameterField)}${body === undefined ? [] : bodyField(body.examples)}
<button type="submit">Send</button> <span role="status"></span>
<pre class="answer" tabindex="0" hidden></pre>
</form>
</details>
`;
}

function credentialFields(place: CredentialPlace): Markup {
  if (place === 'none') return markup``;
  const options = offered[place].map(([value, label]) => markup`<option value="${value}">${label}</option>`);
  return markup`<label>Credential <select name="credential">${options}</select></label>
<label class="secret">Key or token <input name="secret" type="password" autocomplete="off" spellcheck="false"></label>
<p class="create-key">If you are signed in to the console: <button type="button" data-create-key>Create a key for one hour</button></p>
`;
}

function parameterField({ name, in: place, required = false, example, schema }: Parameter): Markup {
  const value = required && example !== undefined ? String(example) : '';
  const label = markup`<code>${name}</code>${required ? '' : ' (optional)'}`;
  const values = schema['enum'] as readonly unknown[] | undefined;
  if (values !== undefined) {
    const options = values.map((one) => markup`<option>${String(one)}</option>`);
    const none = required ? [] : [markup`<option value=""></option>`];
    return markup`<label>${label} <select name="${place}:${name}">${none}${options}</select></label>\n`;
  }
  const field = required
    ? markup`<input name="${place}:${name}" value="${value}" required>`
    : markup`<input name="${place}:${name}" value="${value}">`;
  return markup`<label>${label} ${field}</label>\n`;
}

function bodyField(examples: readonly { readonly summary: string; readonly text: string }[]): Markup {
  const [first] = examples;
  const options = examples.map(({ summary, text }) => markup`<option value="${text}">${summary}</option>`);
  const choice =
    examples.length < 2 ? markup`` : markup`<label>Example <select name="example">${options}</select></label>\n`;
  return markup`${choice}<label>Body <textarea name="body" rows="10" spellcheck="false">${first?.text ?? ''}</textarea></label>\n`;
}
