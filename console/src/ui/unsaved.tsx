import { Button, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { mayAsk } from '../app/leaving.ts';
import { hasChanged } from './has-changed.ts';

interface Holder {
  /** A dialog that fades out is no longer a form. */
  readonly isOpen: boolean;
  readonly report: (isChanged: boolean) => void;
}
const FormHolder = createContext<Holder | null>(null);

const always = () => true;

interface Unsaved {
  /** To be rendered by the form: asks before its changes are lost. */
  readonly question: ReactNode;
  /** Runs what would lose the changes, after asking if there are any. */
  readonly before: (leave: () => void) => void;
}

/**
 * Guards the changes of a form that were not saved. Leaving by a link, the back button or another tab
 * of the page asks first, and so does the browser when its tab is closed.
 */
export function useUnsaved(isChanged: boolean): Unsaved {
  const holder = useContext(FormHolder);
  const report = holder?.report;
  useEffect(() => {
    report?.(isChanged);
    return () => report?.(false);
  }, [report, isChanged]);
  const blocker = useBlocker({
    shouldBlockFn: always,
    withResolver: true,
    enableBeforeUnload: mayAsk,
    disabled: !isChanged || holder?.isOpen === false,
  });
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const before = (go: () => void) => (isChanged ? setLeave(() => go) : go());
  const isBlocked = blocker.status === 'blocked';
  const stay = () => {
    setLeave(null);
    blocker.reset?.();
  };
  const discard = () => {
    setLeave(null);
    if (isBlocked) blocker.proceed();
    else leave?.();
  };
  const question = (
    <Discard opened={isBlocked || leave !== null} onStay={stay} onDiscard={discard} />
  );
  return { question, before };
}

/** Whether the fields differ from what they were when the form opened. */
export function useIsChanged<T>(fields: T): boolean {
  const [first] = useState(fields);
  return hasChanged(first, fields);
}

interface DiscardProps {
  readonly opened: boolean;
  readonly onStay: () => void;
  readonly onDiscard: () => void;
}

/** Above a dialog the Escape key belongs to it, and not to the dialog. */
function Discard({ opened, onStay, onDiscard }: DiscardProps) {
  const id = useId();
  return (
    <Modal
      opened={opened}
      onClose={onStay}
      stackId={id}
      title="Discard changes?"
      centered
      size="sm"
    >
      <Stack>
        <Text>What you changed here is not saved yet.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onStay} data-autofocus>
            Keep editing
          </Button>
          <Button color="red" onClick={onDiscard}>
            Discard
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface FormDialogProps extends Pick<ModalProps, 'title' | 'size'> {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog with a form that calls `useUnsaved`: Escape, a click beside it or its cross ask first. */
export function FormDialog({ opened, onClose, children, ...look }: FormDialogProps) {
  const isChanged = useRef(false);
  const report = useCallback((next: boolean) => {
    isChanged.current = next;
  }, []);
  const [isAsking, setAsking] = useState(false);
  const holder = useMemo(() => ({ isOpen: opened, report }), [opened, report]);
  const discard = () => {
    setAsking(false);
    onClose();
  };
  return (
    <Modal.Stack>
      <Modal
        opened={opened}
        onClose={() => (isChanged.current ? setAsking(true) : onClose())}
        stackId="form"
        {...look}
      >
        <FormHolder.Provider value={holder}>{children}</FormHolder.Provider>
      </Modal>
      <Discard opened={isAsking} onStay={() => setAsking(false)} onDiscard={discard} />
    </Modal.Stack>
  );
}
