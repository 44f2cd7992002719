import type { AuditLogEntry } from '@roster/client';
import { Stack, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from '#components/actions/code-block.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { KeyValues } from '#components/values/key-values.tsx';
import { useAuthorName } from '#shell/account/use-author-name.ts';
import { useTexts } from '#texts/use-texts.ts';
import { auditFacts, auditValueText } from './audit-details.ts';
import { useActionName, useAuditWords } from './audit-words.ts';

/** An entry of the audit log with all its details. */
export function AuditEntry({ entry }: { readonly entry: AuditLogEntry }): ReactNode {
  const t = useTexts('settings');
  const words = useTexts('auditLog');
  const nameOf = useActionName();
  const authorOf = useAuthorName();
  const hasDetails = Object.keys(entry.details).length > 0;
  return (
    <Stack>
      <KeyValues
        entries={[
          [t('auditLog.at'), <DateTime key="at" value={entry.occurred_at} />],
          [t('auditLog.actor'), withCode(authorOf(entry.actor), entry.actor)],
          [t('auditLog.action'), withCode(nameOf(entry.action), entry.action)],
          [
            t('auditLog.subject'),
            <Text key="subject" inherit ff="monospace" style={{ overflowWrap: 'anywhere' }}>
              {entry.subject}
            </Text>,
          ],
        ]}
      />
      <Title order={3} size="h5">
        {t('auditLog.details')}
      </Title>
      {hasDetails ? (
        <>
          <Facts details={entry.details} />
          <Text size="sm" fw={500}>
            {words('json')}
          </Text>
          <CodeBlock code={JSON.stringify(entry.details, null, 2)} />
        </>
      ) : (
        <Text size="sm">{words('noDetails')}</Text>
      )}
    </Stack>
  );
}

function Facts({ details }: Pick<AuditLogEntry, 'details'>): ReactNode {
  const t = useTexts('auditLog');
  const words = useAuditWords();
  const facts = auditFacts(details);
  const hasChanges = facts.some((fact) => 'before' in fact);
  return (
    <Table style={{ overflowWrap: 'anywhere' }}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('field')}</Table.Th>
          {hasChanges && <Table.Th>{t('before')}</Table.Th>}
          <Table.Th>{t('value')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {facts.map((fact) => (
          <Table.Tr key={fact.field}>
            <Table.Td>{words.field(fact.field)}</Table.Td>
            {hasChanges && (
              <Table.Td>{'before' in fact ? auditValueText(fact.field, fact.before, words) : ''}</Table.Td>
            )}
            <Table.Td>{auditValueText(fact.field, fact.value, words)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** A name in words, and after it what filters and programs use, if that differs. */
function withCode(name: string, code: string): ReactNode {
  return (
    <>
      {name}{' '}
      {name !== code && (
        <Text span size="xs" c="dimmed" ff="monospace">
          {code}
        </Text>
      )}
    </>
  );
}
