import type { Body } from '../../../api/client.ts';
import { fromLocalInput, toLocalInput } from '../local-time.ts';
import type { Program } from '../queries.ts';

type Change = Omit<Body<'/v1/programs/{programId}', 'patch'>, 'projectId'>;

/** The settings of a program as its form shows them. */
export const valuesOf = ({
  name,
  startDate,
  endDate,
  config,
}: Pick<Program, 'name' | 'startDate' | 'endDate' | 'config'>) => ({
  name,
  startDate: toLocalInput(startDate),
  endDate: toLocalInput(endDate),
  landingPageUrl: config.brandConfig.landingPageUrl,
  primaryColor: config.brandConfig.primaryColor,
  productName: config.widgetConfig.productName,
  logoUrl: config.widgetConfig.logoUrl,
  isOpen: config.partnerApplicationsOpen,
  hasLeaderboard: config.partnerLeaderboard,
});
export type SettingsValues = ReturnType<typeof valuesOf>;

/** Only differences are sent: an unchanged date keeps its seconds. */
export function changeOf(saved: SettingsValues, values: SettingsValues): Change {
  const isNew = (name: keyof SettingsValues) => values[name] !== saved[name];
  const name = values.name.trim();
  const config = configOf(values, isNew);
  return {
    ...(name === saved.name ? {} : { name }),
    ...(isNew('startDate') ? { startDate: fromLocalInput(values.startDate) } : {}),
    ...(isNew('endDate') ? { endDate: fromLocalInput(values.endDate) } : {}),
    ...(Object.keys(config).length === 0 ? {} : { config }),
  };
}

function configOf(
  values: SettingsValues,
  isNew: (name: keyof SettingsValues) => boolean,
): NonNullable<Change['config']> {
  const brandConfig = {
    ...(isNew('landingPageUrl') ? { landingPageUrl: values.landingPageUrl.trim() } : {}),
    ...(isNew('primaryColor') ? { primaryColor: values.primaryColor } : {}),
  };
  const widgetConfig = {
    ...(isNew('productName') ? { productName: values.productName.trim() } : {}),
    ...(isNew('logoUrl') ? { logoUrl: values.logoUrl.trim() } : {}),
  };
  return {
    ...(Object.keys(brandConfig).length === 0 ? {} : { brandConfig }),
    ...(Object.keys(widgetConfig).length === 0 ? {} : { widgetConfig }),
    ...(isNew('isOpen') ? { partnerApplicationsOpen: values.isOpen } : {}),
    ...(isNew('hasLeaderboard') ? { partnerLeaderboard: values.hasLeaderboard } : {}),
  };
}

/** Whether saving ends the program at once. */
export function endsNow(values: SettingsValues, saved: SettingsValues, now: number): boolean {
  if (values.endDate === saved.endDate || values.endDate === '') return false;
  return Date.parse(values.endDate) <= now;
}
