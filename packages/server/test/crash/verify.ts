import { matches, seenText, stateText, type SeenContact } from './contact-model.ts';
import type { LoadedAccount } from './journal.ts';
import type { Load } from './load.ts';
import type { Plan } from './plan.ts';
import type { Report } from './report.ts';
import { checkRequestLog, waitUntilDrained } from './request-log.ts';
import { call, operator, type Target } from './target.ts';

/**
 * Waits until the pipeline is empty, then compares everything in a service with the answers that
 * the writers got. The writers must have stopped.
 *
 * Afterwards the journals describe the real state, so that the writers can continue from there.
 */
export async function verify(load: Load, report: Report, round: string): Promise<void> {
  const { target, faults } = load.state;
  await target.settled?.();
  await waitUntilDrained(
    target,
    load.accounts.map(({ accountId }) => accountId),
  );
  report.check(`${round}: every answer was one that callers are told to expect`, faults.splice(0));
  const contacts: string[] = [];
  const anonymous: string[] = [];
  const lists: string[] = [];
  const log: string[] = [];
  for (const account of load.accounts) {
    const seen = await readContacts(target, account);
    report.contactsChecked += seen.identified.size + seen.markers.length;
    const applied = checkContacts(account, seen, contacts);
    report.appliedUnanswered += applied.length;
    checkAnonymous(account, seen, anonymous);
    await checkLists(target, account, seen, lists);
    log.push(...(await checkRequestLog(target, account, applied)));
    acceptSeenState(account, seen);
  }
  report.check(`${round}: contacts are as the last accepted request left them`, contacts);
  report.check(`${round}: each anonymous contact was created once`, anonymous);
  report.check(`${round}: lists count their members`, lists);
  report.check(`${round}: the request log agrees`, log);
}

/** An account as searches show it. */
interface SeenAccount {
  readonly identified: ReadonlyMap<string, SeenContact>;
  readonly markers: readonly string[];
  readonly members: readonly [number, number];
  readonly problems: readonly string[];
}

async function readContacts(target: Target, { apiKey, lists }: LoadedAccount): Promise<SeenAccount> {
  const identified = new Map<string, SeenContact>();
  const markers: string[] = [];
  const members: [number, number] = [0, 0];
  const ids = new Set<unknown>();
  const problems: string[] = [];
  let rows = 0;
  for await (const row of searchAll(target, apiKey)) {
    rows++;
    const listIds = row['list_id'] as number[];
    const inLists = [0, 1].filter((list) => listIds.includes(lists[list]!));
    for (const list of inLists) members[list]!++;
    ids.add(row['contact_id']);
    if (row['contact_type'] === 'anonymous') markers.push(String(row['MARK']));
    else {
      identified.set(String(row['identity']), {
        contactId: row['contact_id'] as number,
        sequence: row['SEQ'],
        note: row['NOTE'],
        extra: row['EXTRA'],
        lists: inLists,
      });
    }
  }
  if (ids.size !== rows) problems.push(`${rows} contacts have ${ids.size} different contact_ids`);
  if (identified.size + markers.length !== rows) problems.push('an identity was found twice');
  return { identified, markers, members, problems };
}

async function* searchAll(target: Target, apiKey: string): AsyncGenerator<Record<string, unknown>> {
  const fields = ['contact_id', 'contact_type', 'identity', 'SEQ', 'NOTE', 'EXTRA', 'MARK', 'list_id'];
  let cursor: unknown;
  do {
    const pagination = { limit: 1000, ...(cursor === undefined ? {} : { cursor }) };
    const output = { fields, sorting: [{ field: 'contact_id' }], pagination };
    const answer = await call('POST', `${target.urls[0]}/v5/contact/search`, { 'api-key': apiKey }, { output });
    yield* answer['data'] as Record<string, unknown>[];
    cursor = answer['next_cursor'];
  } while (typeof cursor === 'string');
}

/** Checks the identified contacts. Returns the unanswered requests that were applied. */
function checkContacts({ journal }: LoadedAccount, seen: SeenAccount, problems: string[]): Plan[] {
  problems.push(...seen.problems);
  const applied = journal.unanswered.filter((plan) => {
    const names = [...plan.changes].map(([contact, change]) => ({
      ...change,
      contact,
      is: seen.identified.get(contact.identity),
    }));
    const isApplied =
      names.every(({ contact, after, is }) => matches(contact.identity, after, is)) &&
      plan.markers.every((marker) => seen.markers.includes(marker));
    const isUntouched =
      names.every(({ contact, before, is }) => matches(contact.identity, before, is)) &&
      !plan.markers.some((marker) => seen.markers.includes(marker));
    if (!isApplied && !isUntouched) {
      const counted = names.filter(({ contact, after, is }) => matches(contact.identity, after, is)).length;
      problems.push(`${plan.path} without an answer was applied in part: ${counted} of ${names.length} contacts`);
    }
    for (const { contact, before, after } of names) {
      contact.state = isApplied ? after : before;
      contact.isUncertain = false;
    }
    if (isApplied) for (const marker of plan.markers) journal.markers.add(marker);
    return isApplied;
  });
  for (const contact of journal.contacts.values()) {
    const { identity, state, contactId } = contact;
    const is = seen.identified.get(identity);
    if (!matches(identity, state, is)) problems.push(`${identity}: ${seenText(is)} instead of ${stateText(state)}`);
    if (contactId !== undefined && is !== undefined && is.contactId !== contactId) {
      problems.push(`${identity}: contact_id ${is.contactId} instead of ${contactId}`);
    }
  }
  for (const identity of seen.identified.keys()) {
    if (!journal.contacts.has(identity)) problems.push(`${identity} was never sent`);
  }
  return applied;
}

function checkAnonymous({ journal }: LoadedAccount, seen: SeenAccount, problems: string[]): void {
  const found = new Set(seen.markers);
  if (found.size !== seen.markers.length) problems.push(`${seen.markers.length - found.size} were created twice`);
  for (const marker of journal.markers) if (!found.has(marker)) problems.push(`${marker} is missing`);
  for (const marker of found) if (!journal.markers.has(marker)) problems.push(`${marker} should not exist`);
}

/**
 * For each list, the memberships of contacts, the member_count and the count of a search must be
 * equal.
 */
async function checkLists(
  target: Target,
  { accountId, apiKey, lists }: LoadedAccount,
  seen: SeenAccount,
  problems: string[],
): Promise<void> {
  for (const [at, listId] of lists.entries()) {
    const list = await operator(target, 'GET', `/accounts/${accountId}/lists/${listId}`);
    const body = { audience_type: 'list', audience_id: listId, output: { get_count: true } };
    const audience = await call('POST', `${target.urls[0]}/v5/contact/audience/search`, { 'api-key': apiKey }, body);
    const counts = { members: seen.members[at], member_count: list['member_count'], count: audience['count'] };
    if (new Set(Object.values(counts)).size !== 1) problems.push(`list ${listId}: ${JSON.stringify(counts)}`);
  }
}

function acceptSeenState({ journal }: LoadedAccount, seen: SeenAccount): void {
  journal.accepted.clear();
  journal.unanswered.length = 0;
  for (const contact of journal.contacts.values()) {
    const is = seen.identified.get(contact.identity);
    contact.contactId = is?.contactId;
    // A reported difference is accepted here, so that the next round reports only new ones.
    if (matches(contact.identity, contact.state, is)) continue;
    contact.state = { exists: is !== undefined, sequence: Number(is?.sequence ?? contact.state.sequence) };
  }
}
