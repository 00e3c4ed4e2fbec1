import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { PlusIcon, Trash2Icon } from 'lucide-react';
import type { FormIssues } from '../../../ui/form-issues.ts';
import { FormSection } from '../../../ui/form-section.tsx';
import type { WidgetForm } from '../preview/widget-form.ts';
import type { WidgetConfig } from '../queries.ts';
import { Choice } from '../terms/choice.tsx';
import { BRAND_PATHS, BrandFields } from './brand-fields.tsx';

const WIDGET = 'config.widgetConfig';
const TEXTS = ['title', 'subtitle', 'triggerText', 'productName', 'shareMessage'] as const;

/** The fields that show the service's issues. */
export const WIDGET_PATHS: readonly string[] = [
  ...BRAND_PATHS,
  ...TEXTS.map((name) => `${WIDGET}.${name}`),
];

const PLATFORMS: Record<keyof WidgetConfig['enabledPlatforms'], string> = {
  whatsapp: 'WhatsApp',
  email: 'E-mail',
  facebook: 'Facebook',
  twitter: 'X (Twitter)',
  linkedin: 'LinkedIn',
  telegram: 'Telegram',
  instagram: 'Instagram',
};

/** The variables that panel.css provides. */
const KNOWN = '--background, --background-soft, --text, --text-muted, --border, --radius, --font';

interface WidgetFieldsProps {
  readonly form: WidgetForm;
  readonly errors: Readonly<Record<string, string>>;
  readonly issues: FormIssues;
  readonly onChange: (change: Partial<WidgetForm>) => void;
}

export function WidgetFields({ form, errors, issues, onChange }: WidgetFieldsProps) {
  const text = (name: (typeof TEXTS)[number], maxLength: number) => ({
    value: form[name],
    maxLength,
    error: errors[name] ?? issues.of(`${WIDGET}.${name}`),
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ [name]: event.currentTarget.value }),
  });
  return (
    <>
      <FormSection
        title="Words"
        intro="Default texts are shown in the language of the reader. Texts that you change are shown as you write them."
      >
        <TextInput label="Title" {...text('title', 120)} />
        <Textarea label="Below the title" autosize minRows={2} {...text('subtitle', 300)} />
        <Textarea
          label="Message to share"
          description="Text before the link when a person shares it."
          autosize
          minRows={2}
          {...text('shareMessage', 500)}
        />
        <TextInput
          label="Name of your product"
          description="As in “Friends join Acme”. If empty, no name is shown."
          {...text('productName', 80)}
        />
      </FormSection>
      <FormSection title="Look" intro="The colours and the logo of your product.">
        <BrandFields brand={form} errors={errors} issues={issues} onChange={onChange} />
        <Variables form={form} errors={errors} onChange={onChange} />
      </FormSection>
      <FormSection title="Button" intro="It opens the panel on your pages.">
        <TextInput label="Text" {...text('triggerText', 60)} />
        <Choice
          label="Picture"
          value={form.icon}
          data={[
            { value: 'gift', label: 'Gift' },
            { value: 'heart', label: 'Heart' },
            { value: 'star', label: 'Star' },
            { value: 'zap', label: 'Flash' },
          ]}
          onChange={(icon) => onChange({ icon })}
        />
        <Select
          label="Place"
          data={[
            { value: 'bottom-right', label: 'Bottom right' },
            { value: 'bottom-left', label: 'Bottom left' },
            { value: 'top-right', label: 'Top right' },
            { value: 'top-left', label: 'Top left' },
          ]}
          allowDeselect={false}
          value={form.position}
          onChange={(value) => onChange({ position: value as WidgetForm['position'] })}
        />
      </FormSection>
      <FormSection title="Ways to share" intro="The buttons below the link.">
        <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="sm">
          {(Object.keys(PLATFORMS) as (keyof typeof PLATFORMS)[]).map((platform) => (
            <Checkbox
              key={platform}
              label={PLATFORMS[platform]}
              checked={form.enabledPlatforms[platform]}
              onChange={(event) =>
                onChange({
                  enabledPlatforms: {
                    ...form.enabledPlatforms,
                    [platform]: event.currentTarget.checked,
                  },
                })
              }
            />
          ))}
        </SimpleGrid>
      </FormSection>
    </>
  );
}

function Variables({ form, errors, onChange }: Omit<WidgetFieldsProps, 'issues'>) {
  const rows = form.cssVariables;
  const set = (place: number, part: { name?: string; value?: string }) =>
    onChange({ cssVariables: rows.map((row, at) => (at === place ? { ...row, ...part } : row)) });
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        Style variables
      </Text>
      <Text size="xs" c="dimmed">
        For more than a colour: <code>{KNOWN}</code>.
      </Text>
      {rows.map(({ name, value }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name while typed
        <Stack key={place} gap={2}>
          <Group gap="xs" wrap="nowrap">
            <TextInput
              aria-label="Name of the variable"
              placeholder="--radius"
              flex={1}
              miw={0}
              value={name}
              onChange={(event) => set(place, { name: event.currentTarget.value })}
            />
            <TextInput
              aria-label={`Value of ${name || 'the variable'}`}
              placeholder="8px"
              flex={1}
              miw={0}
              value={value}
              onChange={(event) => set(place, { value: event.currentTarget.value })}
            />
            <ActionIcon
              variant="default"
              size={36}
              aria-label={`Remove ${name || 'the variable'}`}
              onClick={() => onChange({ cssVariables: rows.filter((_, at) => at !== place) })}
            >
              <Trash2Icon size={16} />
            </ActionIcon>
          </Group>
          {errors[`cssVariables.${place}`] && (
            <Text size="xs" c="var(--mantine-color-error)">
              {errors[`cssVariables.${place}`]}
            </Text>
          )}
        </Stack>
      ))}
      {rows.length < 64 && (
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<PlusIcon size={14} />}
            onClick={() => onChange({ cssVariables: [...rows, { name: '--', value: '' }] })}
          >
            Add a variable
          </Button>
        </Group>
      )}
    </Stack>
  );
}
