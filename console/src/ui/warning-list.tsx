import { Alert } from '@mantine/core';

/** What the service warns of, above what it is about. */
export function WarningList({ warnings }: { warnings: readonly string[] }) {
  return warnings.map((warning) => (
    <Alert key={warning} color="orange" variant="light" mb="md" title="Please check">
      {warning}
    </Alert>
  ));
}
