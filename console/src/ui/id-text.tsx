import { ActionIcon, CopyButton, Group, Tooltip } from '@mantine/core';
import { CheckIcon, CopyIcon } from 'lucide-react';

/** An id or another text to copy with one press; assistive technology reads all of it. */
export function IdText({ value, label = 'id' }: { value: string; label?: string }) {
  return (
    <Group gap={4} wrap="nowrap" className="id-text">
      <code title={value}>{value}</code>
      <CopyAction value={value} label={`Copy ${label}`} />
    </Group>
  );
}

export function CopyAction({ value, label }: { value: string; label: string }) {
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : label}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={copied ? 'Copied' : label}
            onClick={(event) => {
              event.preventDefault();
              event.stopPropagation();
              copy();
            }}
          >
            {copied ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
