import './as-code.css';
import { Button, FileButton, Group, Textarea } from '@mantine/core';
import { useRef } from 'react';

interface FileFieldProps {
  readonly label: string;
  readonly description: string;
  /** The file of what is in force, to begin with; undefined while it loads. */
  readonly inForce: string | undefined;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** A definition of the program: typed, opened from a file, or begun with the one in force. */
export function FileField({ label, description, inForce, value, onChange }: FileFieldProps) {
  const resetRef = useRef<() => void>(null);
  const open = async (file: File | null) => {
    if (!file) return;
    onChange(await file.text());
    // The same file can be opened again once it is corrected.
    resetRef.current?.();
  };
  return (
    <div>
      <Textarea
        className="yaml-editor"
        label={label}
        description={description}
        autosize
        minRows={8}
        maxRows={24}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Group gap="xs" mt="sm">
        <Button
          variant="default"
          disabled={inForce === undefined}
          onClick={() => onChange(inForce ?? '')}
        >
          Begin with what is in force
        </Button>
        <FileButton
          resetRef={resetRef}
          accept=".yaml,.yml,.json"
          onChange={(file) => void open(file)}
        >
          {(props) => (
            <Button variant="default" {...props}>
              Open a file
            </Button>
          )}
        </FileButton>
      </Group>
    </div>
  );
}
