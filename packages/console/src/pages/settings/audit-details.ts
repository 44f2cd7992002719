/** Returns what an entry of the audit log says about a change: `name Newsletter · role viewer → editor`. */
export function auditDetailsText(details: Readonly<Record<string, unknown>>): string {
  const facts = Object.entries(details).flatMap(([name, value]) =>
    name === 'changes' && isObject(value)
      ? Object.entries(value).map(([field, change]) => `${wordOf(field)} ${changeText(change)}`)
      : [`${wordOf(name)} ${valueText(value)}`],
  );
  return facts.length === 0 ? '–' : facts.join(' · ');
}

function changeText(change: unknown): string {
  return isObject(change) && 'from' in change && 'to' in change
    ? `${valueText(change['from'])} → ${valueText(change['to'])}`
    : valueText(change);
}

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (Array.isArray(value)) return value.map((one) => valueText(one)).join(', ') || '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `member_count` → `member count`. */
function wordOf(name: string): string {
  return name.replaceAll('_', ' ');
}
