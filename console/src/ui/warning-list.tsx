import { Alert } from '@mantine/core';

interface WarningListProps {
  readonly warnings: readonly string[];
  /** What the ids in them stand for. */
  readonly names?: ReadonlyMap<string, string>;
}

/** The service's warnings, above what they concern. */
export function WarningList({ warnings, names = new Map() }: WarningListProps) {
  return warnings.map((warning) => (
    <Alert key={warning} color="orange" variant="light" mb="md" title="Please check">
      {warning.replace(/\b[a-z]+_[0-9a-z]{20,}\b/g, (id) => names.get(id) ?? id)}
    </Alert>
  ));
}
