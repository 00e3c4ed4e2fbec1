import { Alert } from '@mantine/core';

/** The service's warnings, above what they concern. */
export function WarningList({ warnings }: { warnings: readonly string[] }) {
  return warnings.map((warning) => (
    <Alert key={warning} color="orange" variant="light" mb="md" title="Please check">
      {warning}
    </Alert>
  ));
}
