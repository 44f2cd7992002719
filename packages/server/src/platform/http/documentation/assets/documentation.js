// The forms of the API reference: they send a request to this service and show its answer. Keys stay
// in the fields of the page. They are not stored.

/** Returns the fields of a form whose names begin with a place, such as `query:`. */
function fieldsOf(form, place) {
  return [...new FormData(form)].filter(([name, value]) => name.startsWith(place) && value !== '');
}

/** Builds the request that a form describes. */
function requestOf(form) {
  const headers = new Headers();
  const query = new URLSearchParams();
  let path = form.dataset.path;
  for (const [name, value] of fieldsOf(form, 'path:')) {
    path = path.replace(`{${name.slice(5)}}`, encodeURIComponent(value));
  }
  for (const [name, value] of fieldsOf(form, 'query:')) query.append(name.slice(6), value);
  for (const [name, value] of fieldsOf(form, 'header:')) headers.set(name.slice(7), value);
  const credential = form.elements.credential?.value;
  const secret = form.elements.secret?.value.trim() ?? '';
  if (credential === 'api-key') headers.set('api-key', secret);
  if (credential === 'apikey') query.set('apikey', secret);
  if (credential === 'bearer') headers.set('authorization', `Bearer ${secret}`);
  const body = form.elements.body?.value;
  if (body !== undefined) headers.set('content-type', form.dataset.type);
  const search = query.size === 0 ? '' : `?${query}`;
  // Without a chosen credential of the session, no cookie is sent.
  const credentials = credential === 'session' ? 'same-origin' : 'omit';
  return [`${path}${search}`, { method: form.dataset.method, headers, body, credentials }];
}

/** Sends the request of a form, and shows the status, the time and the body of the answer. */
async function send(form) {
  const state = form.querySelector('[role=status]');
  const output = form.querySelector('.answer');
  const { method } = form.dataset;
  if (method === 'DELETE' && !confirm('This request deletes data. Send it?')) return;
  state.textContent = 'Sending …';
  const begin = performance.now();
  try {
    const response = await fetch(...requestOf(form));
    const text = await response.text();
    const time = Math.round(performance.now() - begin);
    state.textContent = `${response.status} ${response.statusText}, ${time} ms`;
    output.textContent = pretty(text) || 'The answer has no body.';
  } catch (error) {
    state.textContent = 'The request failed';
    output.textContent = String(error);
  }
  output.hidden = false;
}

/** Returns JSON with indents, and other text as it is. */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** Returns the account that the person looked at last in the console; undefined before that. */
function lastAccount() {
  const number = Number(localStorage.getItem('roster-account') ?? 0);
  return number > 0 ? number : undefined;
}

/** Returns the account for which a person creates a key, if the form names none. */
function accountOf({ accounts, is_installation_admin: isAdmin }) {
  const last = lastAccount();
  const isAllowed = isAdmin || accounts.some(({ account_id: number }) => number === last);
  return last !== undefined && isAllowed ? last : accounts[0]?.account_id;
}

/** Creates an API key with the session of the console, and writes it into all forms of the page. */
async function createKey(button) {
  const state = button.form.querySelector('[role=status]');
  const { person } = await (await fetch('/admin/v1/session')).json();
  if (person == null) {
    state.textContent = 'Sign in to the console first.';
    return;
  }
  const number = button.form.elements['path:account_id']?.value || accountOf(person);
  if (number === undefined) {
    state.textContent = 'Open an account in the console first.';
    return;
  }
  const response = await fetch(`/admin/v1/accounts/${encodeURIComponent(number)}/api-keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'API reference',
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  });
  const answer = await response.json();
  if (!response.ok) {
    state.textContent = answer.description;
    return;
  }
  for (const form of document.querySelectorAll('.try form')) {
    const { credential, secret } = form.elements;
    if (secret === undefined) continue;
    secret.value = answer.api_key;
    if (form === button.form && credential.value !== 'apikey') credential.value = 'api-key';
    showSecret(form);
  }
  state.textContent = `A key of account ${number} is filled in.`;
}

/** Shows the field of the key, unless the session of the console is used. */
function showSecret(form) {
  const isSession = form.elements.credential?.value === 'session';
  for (const part of form.querySelectorAll('.secret, .create-key')) part.hidden = isSession;
}

for (const form of document.querySelectorAll('.try form')) {
  showSecret(form);
  const accountField = form.elements['path:account_id'];
  if (accountField !== undefined) accountField.value = lastAccount() ?? accountField.value;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
  form.addEventListener('change', ({ target }) => {
    if (target.name === 'credential') showSecret(form);
    if (target.name === 'example') form.elements.body.value = target.value;
  });
  form.querySelector('[data-create-key]')?.addEventListener('click', ({ target }) => void createKey(target));
}

for (const code of document.querySelectorAll('pre > code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => void copy(code, button));
  const block = code.parentElement;
  const box = document.createElement('div');
  box.className = 'code';
  block.replaceWith(box);
  box.append(block, button);
}

async function copy(code, button) {
  await navigator.clipboard.writeText(code.textContent);
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), 1500);
}
