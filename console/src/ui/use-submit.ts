import { type FormEvent, useState } from 'react';

/** Submits a form: one call at a time; a refusal is kept to be shown. */
export function useSubmit(send: () => Promise<unknown>) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setError(null);
    try {
      await send();
    } catch (fault) {
      setError(fault);
    } finally {
      setBusy(false);
    }
  };
  return { submit, isBusy, error };
}
