import { Alert, Button, Checkbox, Modal, Stack, Text } from '@mantine/core';
import { KeyRoundIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Snippet } from './snippet.tsx';

interface SecretOnceProps {
  /** Null while there is none to show. */
  readonly secret: string | null;
  readonly title: string;
  /** Where it belongs, and what it replaces. */
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/**
 * Shows a secret that cannot be read again: it closes only after the user confirms having saved it.
 */
export function SecretOnce({ secret, title, children, onClose }: SecretOnceProps) {
  const [isSaved, setSaved] = useState(false);
  const close = () => {
    setSaved(false);
    onClose();
  };
  return (
    <Modal
      opened={secret !== null}
      onClose={() => undefined}
      title={title}
      centered
      size="lg"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Stack>
        <Text component="div">{children}</Text>
        <Snippet label="the secret" code={secret ?? ''} />
        <Alert color="orange" variant="light" icon={<KeyRoundIcon size={18} />}>
          It is shown only now. Nobody can read it again, not even here.
        </Alert>
        <Checkbox
          label="I saved it"
          checked={isSaved}
          onChange={(event) => setSaved(event.currentTarget.checked)}
        />
        <Button onClick={close} disabled={!isSaved}>
          Done
        </Button>
      </Stack>
    </Modal>
  );
}
