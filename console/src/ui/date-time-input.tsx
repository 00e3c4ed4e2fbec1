import { TextInput } from '@mantine/core';

interface DateTimeInputProps {
  readonly label: string;
  readonly description?: string;
  /** ISO 8601 in UTC, or null. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  readonly error?: string | undefined;
  readonly isRequired?: boolean;
}

/** `2026-11-15T09:30` in the reader's own time zone, as the browser's input requires. */
function toLocal(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** A time, typed in the reader's own time zone. */
export function DateTimeInput(props: DateTimeInputProps) {
  const { label, description, value, onChange, error, isRequired = false } = props;
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={description}
      required={isRequired}
      error={error}
      value={value === null ? '' : toLocal(value)}
      onChange={(event) => {
        const at = new Date(event.currentTarget.value);
        onChange(Number.isNaN(at.getTime()) ? null : at.toISOString());
      }}
    />
  );
}
