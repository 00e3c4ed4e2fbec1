import { Input, SegmentedControl } from '@mantine/core';
import { useId } from 'react';

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly description?: string;
  readonly value: T;
  readonly data: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
}

/** A few choices side by side; stacked on a phone. */
export function Choice<T extends string>(props: ChoiceProps<T>) {
  const { label, description, value, data, onChange } = props;
  const id = useId();
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      labelProps={{ id }}
      {...(description ? { description } : {})}
    >
      <div className="choice">
        <SegmentedControl
          aria-labelledby={id}
          value={value}
          data={data.map((one) => ({ ...one }))}
          onChange={(next) => onChange(next as T)}
          fullWidth
        />
      </div>
    </Input.Wrapper>
  );
}
