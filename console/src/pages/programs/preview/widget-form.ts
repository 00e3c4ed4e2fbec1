import type { Body } from '../../../api/client.ts';
import type { ProgramConfig, WidgetConfig } from '../queries.ts';

interface CssVariable {
  readonly name: string;
  readonly value: string;
}

/** The look of the panel while it is edited. */
export interface WidgetForm extends Omit<WidgetConfig, 'cssVariables' | 'referralLink'> {
  readonly primaryColor: string;
  readonly cssVariables: readonly CssVariable[];
}

export function toWidgetForm({ brandConfig, widgetConfig }: ProgramConfig): WidgetForm {
  const { cssVariables, referralLink: _, ...rest } = widgetConfig;
  return {
    ...rest,
    primaryColor: brandConfig.primaryColor,
    cssVariables: Object.entries(cssVariables).map(([name, value]) => ({ name, value })),
  };
}

type Change = NonNullable<Body<'/v1/programs/{programId}', 'patch'>['config']>;

/** The change to save; the variables are replaced as a whole. */
export function toConfigChange(form: WidgetForm) {
  const { primaryColor, cssVariables, ...rest } = form;
  return {
    brandConfig: { primaryColor },
    widgetConfig: {
      ...rest,
      logoUrl: form.logoUrl.trim(),
      cssVariables: Object.fromEntries(cssVariables.map(({ name, value }) => [name, value])),
    },
  } satisfies Change;
}

const COLOUR = /^#[0-9A-Fa-f]{6}$/;
const VARIABLE = /^--[a-z0-9-]{1,64}$/;
const VALUE = /^(?![\s\S]*[uU][rR][lL]\()[^;{}<>\\@]*$/;

/** The colour and the logo of a product. */
export type Brand = Pick<WidgetForm, 'primaryColor' | 'logoUrl'>;

/** What the service would refuse, by field. */
export function checkBrand({ primaryColor, logoUrl }: Brand): Record<string, string> {
  const errors: Record<string, string> = {};
  if (!COLOUR.test(primaryColor)) errors.primaryColor = 'Six digits, such as #1f5f4a';
  const logo = logoUrl.trim();
  if (logo !== '' && !(/^https:\/\/\S+$/i.test(logo) && URL.canParse(logo))) {
    errors.logoUrl = 'An https address, or empty';
  }
  return errors;
}

/** What the service would refuse, by field; a variable under `cssVariables.<index>`. */
export function checkWidget(form: WidgetForm): Readonly<Record<string, string>> {
  const errors = checkBrand(form);
  const seen = new Set<string>();
  for (const [place, { name, value }] of form.cssVariables.entries()) {
    const at = `cssVariables.${place}`;
    if (!VARIABLE.test(name)) errors[at] = 'A name such as --radius: small letters, digits and -';
    else if (seen.has(name)) errors[at] = 'Named twice';
    else if (value.length > 128 || !VALUE.test(value)) {
      errors[at] = 'At most 128 characters, without ; { } < > \\ @ or url(';
    }
    seen.add(name);
  }
  return errors;
}

/** What can be shown during typing: invalid parts are replaced by their saved values. */
export function toShowable(form: WidgetForm, saved: WidgetForm): WidgetForm {
  const errors = checkWidget(form);
  return {
    ...form,
    primaryColor: errors.primaryColor ? saved.primaryColor : form.primaryColor,
    logoUrl: errors.logoUrl ? '' : form.logoUrl,
    cssVariables: form.cssVariables.filter((_, place) => !errors[`cssVariables.${place}`]),
  };
}
