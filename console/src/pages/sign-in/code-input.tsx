import { TextInput } from '@mantine/core';

interface CodeInputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The six digits of an authenticator app. */
export function CodeInput({ value, onChange }: CodeInputProps) {
  return (
    <TextInput
      label="Code"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9]{6}"
      maxLength={6}
      title="Six digits"
      required
      autoFocus
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.replace(/\D/g, ''))}
    />
  );
}
