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
  readonly report: (state: FormState) => void;
}
type FormState = 'untouched' | 'changed' | 'busy';

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
 * of the page asks first, and so does the browser when its tab is closed. While they are being saved
 * nothing asks, and a dialog stays open to show a refusal.
 */
export function useUnsaved(isChanged: boolean, isBusy = false): Unsaved {
  const holder = useContext(FormHolder);
  const report = holder?.report;
  const state = isBusy ? 'busy' : isChanged ? 'changed' : 'untouched';
  useEffect(() => {
    report?.(state);
    return () => report?.('untouched');
  }, [report, state]);
  const blocker = useBlocker({
    shouldBlockFn: always,
    withResolver: true,
    enableBeforeUnload: mayAsk,
    disabled: state !== 'changed' || holder?.isOpen === false,
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

interface FormDialogProps extends Pick<ModalProps, 'title' | 'size' | 'centered'> {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** For a form that does not call `useUnsaved` itself. */
  readonly isChanged?: boolean;
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

/** A dialog with a form: Escape, a click beside it or its cross ask before changes are lost. */
export function FormDialog(props: FormDialogProps) {
  const { opened, onClose, isChanged, isBusy = false, children, ...look } = props;
  const state = useRef<FormState>('untouched');
  const report = useCallback((next: FormState) => {
    state.current = next;
  }, []);
  const [isAsking, setAsking] = useState(false);
  const holder = useMemo(() => ({ isOpen: opened, report }), [opened, report]);
  const close = () => {
    if (state.current === 'changed') setAsking(true);
    else if (state.current === 'untouched') onClose();
  };
  const discard = () => {
    setAsking(false);
    onClose();
  };
  return (
    <Modal.Stack>
      <Modal opened={opened} onClose={close} stackId="form" {...look}>
        <FormHolder.Provider value={holder}>
          {children}
          {isChanged !== undefined && <Guard isChanged={isChanged} isBusy={isBusy} />}
        </FormHolder.Provider>
      </Modal>
      <Discard opened={isAsking} onStay={() => setAsking(false)} onDiscard={discard} />
    </Modal.Stack>
  );
}

function Guard({ isChanged, isBusy }: { isChanged: boolean; isBusy: boolean }) {
  return useUnsaved(isChanged, isBusy).question;
}
