import type { Language, PersonKind } from '../kinds.ts';

/** What a Program may write itself: a subject, and paragraphs separated by empty lines. */
export interface KindTexts {
  readonly subject: string;
  readonly body: string;
}

/** The texts of the page behind the link to unsubscribe. */
interface UnsubscribeTexts {
  readonly title: string;
  readonly question: string;
  readonly thisKind: string;
  readonly everyKind: string;
  readonly whatStays: string;
  readonly doneTitle: string;
  readonly done: string;
}

/** The texts of one language. */
export interface MailTexts {
  readonly hello: string;
  readonly helloAnyone: string;
  readonly credit: string;
  readonly discount: string;
  readonly available: string;
  readonly seeRewards: string;
  readonly addDetails: string;
  readonly openPage: string;
  readonly why: string;
  readonly stop: string;
  readonly unsubscribe: UnsubscribeTexts;
  readonly kinds: Readonly<Record<PersonKind, KindTexts>>;
}

/** A Program's own texts; kinds and languages without any have the default ones. */
export type OwnTexts = Partial<Record<Language, Partial<Record<PersonKind, KindTexts>>>>;

const EVERYWHERE = ['program', 'product'] as const;
/** The placeholders that a Program's texts may contain. */
export const PLACEHOLDERS: Readonly<Record<PersonKind, readonly string[]>> = {
  friend_joined: EVERYWHERE,
  reward_earned: [...EVERYWHERE, 'reward', 'availability'],
  payout_ordered: [...EVERYWHERE, 'reward'],
  reward_paid: [...EVERYWHERE, 'reward'],
  payout_details_missing: EVERYWHERE,
  partner_welcome: EVERYWHERE,
};

const BRACES = /\{([^{}]*)\}/g;

/** The first placeholder that the kind does not have; undefined if all are known. */
export function findUnknownPlaceholder(kind: PersonKind, text: string): string | undefined {
  for (const [, name = ''] of text.matchAll(BRACES)) {
    if (!PLACEHOLDERS[kind].includes(name)) return name;
  }
  return undefined;
}

/** Replaces each placeholder by its value, which is not processed further. Unknown ones stay. */
export function fillText(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(BRACES, (found, name: string) =>
    Object.hasOwn(values, name) ? (values[name] as string) : found,
  );
}
