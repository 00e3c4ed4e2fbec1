import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { ApiError } from '../api/errors.ts';
import { ErrorState } from './states.tsx';
import { FormDialog } from './unsaved.tsx';

interface ConfirmProps<T> {
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
  /** Whether fields among the children were filled in. */
  readonly isChanged?: boolean;
  /** Requested from the user and passed on. */
  readonly reason?: {
    readonly label: string;
    /** A password. */
    readonly isSecret?: boolean;
    readonly isRequired?: boolean;
    readonly maxLength?: number;
  };
  /** Makes the call. Once it has succeeded, the dialog closes. */
  readonly onConfirm: (reason: string) => Promise<T>;
  /** Reads lists again and reports success. The dialog is closed by then and does not wait for it. */
  readonly onDone?: (answer: T) => unknown;
}

/**
 * Asks before an irreversible action. If the service refuses, it stays open and shows the refusal.
 */
export function Confirm<T>(props: ConfirmProps<T>) {
  const { opened, onClose, isChanged = false, onConfirm, onDone } = props;
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const asked = useLast(props, opened && !isBusy);
  const { title, children, action, isDangerous = false, isReady = true, reason } = asked;
  const Input = reason?.isSecret ? PasswordInput : TextInput;
  const close = () => {
    setText('');
    setError(null);
    onClose();
  };
  const confirm = async () => {
    setBusy(true);
    setError(null);
    let answer: T;
    try {
      answer = await onConfirm(reason?.isSecret ? text : text.trim());
    } catch (fault) {
      setError(fault);
      // Somebody else was faster: what is behind the dialog is out of date.
      if (fault instanceof ApiError && fault.status === 409) void queries.invalidateQueries();
      return;
    } finally {
      setBusy(false);
    }
    setText('');
    onClose();
    onDone?.(answer);
  };
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      isChanged={isChanged || (text !== '' && !reason?.isSecret)}
      isBusy={isBusy}
      title={title}
      centered
    >
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
    </FormDialog>
  );
}

/**
 * The value of the last time that it was current. What was asked stays as it is while the call is
 * made and the dialog fades out: what changes behind it would turn it into another question.
 */
function useLast<T>(value: T, isCurrent: boolean): T {
  const last = useRef(value);
  if (isCurrent) last.current = value;
  return last.current;
}
