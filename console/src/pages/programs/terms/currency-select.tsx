import { Select } from '@mantine/core';
import { useMemo } from 'react';
import { currencyChoices } from '../../../ui/currencies.ts';

interface CurrencySelectProps {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (currency: string) => void;
}

/** One of all currencies, found by its code or name. */
export function CurrencySelect({ value, onChange, ...rest }: CurrencySelectProps) {
  const currencies = useMemo(currencyChoices, []);
  return (
    <Select
      {...rest}
      data={currencies}
      searchable
      required
      allowDeselect={false}
      value={value}
      onChange={(currency) => onChange(currency ?? '')}
    />
  );
}
