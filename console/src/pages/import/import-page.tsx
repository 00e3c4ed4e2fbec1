import { Button, FileInput, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FileSpreadsheetIcon } from 'lucide-react';
import { useState } from 'react';
import { FileError } from '../../api/errors.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { Page } from '../../ui/page.tsx';
import { type CsvTable, parseCsv, readText } from '../../ui/parse-csv.ts';
import { saveText } from '../../ui/save-text.ts';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { countOf } from '../../ui/words.ts';
import { programsQuery } from '../programs/queries.ts';
import { Columns } from './columns.tsx';
import { ImportRun } from './import-run.tsx';
import { guessMapping, type Mapping, planRows } from './plan-import.ts';

const EXAMPLE =
  'external_id,name,code,referred_by,starting_referrals\r\n42,Ada Example,ADA10,,12\r\n43,Grace Example,,42,\r\n';

interface Chosen {
  readonly table: CsvTable;
  readonly mapping: Mapping;
}

/** Imports customers, codes and referrals from a previous tool. */
export function ImportPage() {
  const { id: projectId } = useProject();
  const mays = [useMay('participants:write'), useMay('referrals:write'), useMay('track:write')];
  const [programId, setProgramId] = useState<string | null>(null);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [error, setError] = useState<unknown>(null);
  const programs = useQuery(programsQuery(projectId));
  const choices = programs.data?.filter(({ kind }) => kind === 'referral') ?? [];
  const program = programId ?? (choices.length === 1 ? (choices[0]?.id ?? null) : null);
  const read = async (file: File | null) => {
    setChosen(null);
    setError(null);
    if (!file) return;
    try {
      const table = parseCsv(await readText(file));
      if (table.rows.length === 0) throw new FileError('The file has no rows.');
      setChosen({ table, mapping: guessMapping(table.header) });
    } catch (fault) {
      setError(fault);
    }
  };
  if (!mays.every(Boolean)) {
    return (
      <Page title="Import">
        <EmptyState title="Not with your role">
          Importing writes participants and referrals. An operator, admin or owner can do it.
        </EmptyState>
      </Page>
    );
  }
  const isReady = chosen !== null && chosen.mapping.externalId !== null && program !== null;
  return (
    <Page
      title="Import"
      intro="Bring customers, codes and referrals over from the tool you used before. Imported referrals earn nothing by themselves: later purchases do, by your rules."
    >
      <Section title="What to import">
        <Stack>
          <Group align="end" gap="md">
            <Select
              label="Program"
              description="Where codes, links and referrals belong."
              placeholder={choices.length === 0 ? 'No referral program yet' : 'Choose one'}
              data={choices.map(({ id, name }) => ({ value: id, label: name }))}
              value={program}
              onChange={setProgramId}
              flex="1 1 16rem"
            />
            <FileInput
              label="File"
              description="CSV with a header line, in UTF-8."
              placeholder="Choose a file"
              accept=".csv,text/csv,text/plain"
              leftSection={<FileSpreadsheetIcon size={18} />}
              clearable
              clearButtonProps={{ 'aria-label': 'Choose no file' }}
              onChange={(file) => void read(file)}
              flex="1 1 16rem"
            />
          </Group>
          <Group>
            <Button
              size="xs"
              variant="default"
              onClick={() => saveText('goodword-import.csv', EXAMPLE)}
            >
              Download an example
            </Button>
          </Group>
          {error !== null && <ErrorState error={error} />}
        </Stack>
      </Section>
      {chosen && (
        <Columns
          table={chosen.table}
          mapping={chosen.mapping}
          onChange={(mapping) => setChosen({ ...chosen, mapping })}
        />
      )}
      {chosen && chosen.mapping.externalId === null && (
        <Text c="var(--mantine-color-error)" role="alert">
          Choose the column with the external id. The import needs it.
        </Text>
      )}
      {isReady && (
        <ImportRun
          key={JSON.stringify([program, chosen.mapping])}
          programId={program}
          rows={planRows(chosen.table, chosen.mapping)}
        />
      )}
      {chosen && !program && (
        <Text role="status">
          {countOf(chosen.table.rows.length, 'row')} read. Choose the program to go on.
        </Text>
      )}
    </Page>
  );
}
