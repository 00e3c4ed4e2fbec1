import { ColorInput, TextInput } from '@mantine/core';
import type { FormIssues } from '../../../ui/form-issues.ts';
import type { Brand } from '../preview/widget-form.ts';

const COLOUR = 'config.brandConfig.primaryColor';
const LOGO = 'config.widgetConfig.logoUrl';

/** The fields that show the service's issues. */
export const BRAND_PATHS: readonly string[] = [COLOUR, LOGO];

interface BrandFieldsProps {
  readonly brand: Brand;
  readonly errors: Readonly<Record<string, string>>;
  readonly issues: FormIssues;
  readonly onChange: (change: Partial<Brand>) => void;
}

/** The colour and the logo of a product, for what its people see. */
export function BrandFields({ brand, errors, issues, onChange }: BrandFieldsProps) {
  return (
    <>
      <ColorInput
        label="Colour"
        description="Text colours are adjusted automatically to stay readable."
        withEyeDropper={false}
        value={brand.primaryColor}
        error={errors.primaryColor ?? issues.of(COLOUR)}
        onChange={(primaryColor) => onChange({ primaryColor })}
      />
      <TextInput
        label="Logo"
        description="An https address of a picture; loaded from there by your visitors."
        type="url"
        placeholder="https://example.com/logo.svg"
        maxLength={2048}
        value={brand.logoUrl}
        error={errors.logoUrl ?? issues.of(LOGO)}
        onChange={(event) => onChange({ logoUrl: event.currentTarget.value })}
      />
    </>
  );
}
