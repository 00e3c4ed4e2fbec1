import { type FormEvent, useState } from 'react';

/**
 * Submits a form: one call at a time; a refusal is kept to be shown. With what is sent as text, a refusal is shown
 * until that changes.
 */
export function useSubmit(send: () => Promise<unknown>, sent = '') {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<{ readonly of: string; readonly error: unknown }>();
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setRefusal(undefined);
    try {
      await send();
    } catch (error) {
      setRefusal({ of: sent, error });
    } finally {
      setBusy(false);
    }
  };
  return { submit, isBusy, error: refusal?.of === sent ? refusal.error : null };
}
