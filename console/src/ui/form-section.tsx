import { Stack, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface FormSectionProps {
  readonly title: string;
  /** One sentence on what its fields are for. */
  readonly intro?: ReactNode;
  readonly children: ReactNode;
}

/** A titled part of a form: the title beside its fields, or above them where there is no room. */
export function FormSection({ title, intro, children }: FormSectionProps) {
  const id = useId();
  return (
    <fieldset
      className="form-section"
      aria-labelledby={`${id}-title`}
      {...(intro ? { 'aria-describedby': `${id}-intro` } : {})}
    >
      <div>
        <h2 className="form-section-title" id={`${id}-title`}>
          {title}
        </h2>
        {intro && (
          <Text size="sm" c="dimmed" mt={4} component="div" id={`${id}-intro`}>
            {intro}
          </Text>
        )}
      </div>
      <Stack gap="md">{children}</Stack>
    </fieldset>
  );
}
