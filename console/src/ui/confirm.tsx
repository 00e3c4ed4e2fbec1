import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ErrorState } from './states.tsx';

interface ConfirmProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** Its effects in numbers, and whether it can be undone. */
  readonly children: ReactNode;
  /** The verb on the button: "Void 12 rewards". */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** False while its effects are not known yet. */
  readonly isReady?: boolean;
  /** Requested from the user and passed on. */
  readonly reason?: {
    readonly label: string;
    /** A password. */
    readonly isSecret?: boolean;
    readonly isRequired?: boolean;
    readonly maxLength?: number;
  };
  readonly onConfirm: (reason: string) => Promise<unknown>;
}

/**
 * Asks before an irreversible action. If the service refuses, it stays open and shows the refusal.
 */
export function Confirm(props: ConfirmProps) {
  const {
    opened,
    onClose,
    title,
    children,
    action,
    isDangerous = false,
    isReady = true,
    reason,
    onConfirm,
  } = props;
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const Input = reason?.isSecret ? PasswordInput : TextInput;
  const close = () => {
    if (isBusy) return;
    setText('');
    setError(null);
    onClose();
  };
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm(reason?.isSecret ? text : text.trim());
      setText('');
      onClose();
    } catch (fault) {
      setError(fault);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened={opened} onClose={close} title={title} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <Stack>
          <Text component="div">{children}</Text>
          {reason && (
            <Input
              label={reason.label}
              required={reason.isRequired ?? false}
              maxLength={reason.maxLength ?? 500}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              data-autofocus
            />
          )}
          {error !== null && <ErrorState error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} disabled={isBusy}>
              Cancel
            </Button>
            <Button
              type="submit"
              color={isDangerous ? 'red' : 'leaf'}
              loading={isBusy}
              disabled={!isReady || (Boolean(reason?.isRequired) && text.trim() === '')}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
