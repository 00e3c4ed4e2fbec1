import type { PayoutDetails, Platform, Reward, RewardPage, Start, Summary } from './api-types.ts';
import type { Client } from './client.ts';
import { copyText } from './copy-text.ts';
import { Failure, type FailureKind } from './failure.ts';
import type { WidgetListeners } from './options.ts';
import { type Kind, readForm } from './payout-form.ts';
import { ENGLISH, fill, type Language } from './texts.ts';

const NOTICE_MS = 5_000;

export interface Load<T> {
  readonly value: T | null;
  readonly isLoading: boolean;
  readonly failure: FailureKind | null;
}

const NOTHING = { value: null, isLoading: false, failure: null };

export interface Rewards {
  readonly items: readonly Reward[];
  readonly summary: Summary | null;
  readonly next: string | null;
}

/** All that the panel shows, and what can be done to it. Whoever shows it is told of every change. */
export class Model {
  language: Language = ENGLISH;
  readonly isInline: boolean;
  start: Load<Start> = NOTHING;
  rewards: Load<Rewards> = NOTHING;
  details: Load<PayoutDetails> = NOTHING;
  isOpen = false;
  screen: 'home' | 'payout' = 'home';
  isEditing = false;
  isSaving = false;
  /** What is wrong, by field of the form; under an empty name what is wrong with all of it. */
  errors: Readonly<Record<string, string>> = {};
  /** How somebody wants to be paid, once they have chosen. */
  kind: Kind | null = null;
  /** Said aloud, and shown for a while. */
  notice = '';
  /** Only said, as those who look see it anyway. */
  isQuiet = false;
  copied: 'link' | 'code' | null = null;
  readonly #client: Client;
  readonly #programId: string | undefined;
  readonly #listeners: WidgetListeners;
  readonly #onChange: () => void;
  #timer = 0;
  /** The screen was changed, and the focus has not followed yet. */
  #isTurned = false;

  constructor(
    client: Client,
    options: { programId: string | undefined; isInline: boolean; on: WidgetListeners },
    onChange: () => void,
  ) {
    this.#client = client;
    this.#programId = options.programId;
    this.#listeners = options.on;
    this.isInline = options.isInline;
    this.#onChange = onChange;
  }

  /** Begins, or begins again after a failure. */
  async load(): Promise<void> {
    if (this.start.isLoading) return;
    if (!this.start.value) {
      await this.#run('start', () =>
        this.#client.send<Start>('POST', 'v1/widget/init', { programId: this.#programId }),
      );
    }
    if (this.isInline || this.isOpen) await this.loadRewards();
  }

  /** What went wrong for want of a connection is done again. */
  resume(): void {
    if (this.start.failure) void this.load();
    else if (this.rewards.failure) void (this.rewards.value ? this.loadMore() : this.loadRewards());
    if (this.details.failure) void this.#loadDetails();
  }

  open(): void {
    if (this.isOpen || this.isInline) return;
    this.isOpen = true;
    this.screen = 'home';
    this.changed();
    this.#tell(() => this.#listeners.open?.());
    void this.load();
  }

  closed(): void {
    this.isOpen = false;
    this.say('');
  }

  async loadRewards(): Promise<void> {
    if (this.start.value && !this.rewards.isLoading) {
      await this.#run('rewards', async () => toRewards(await this.#page()));
    }
  }

  async loadMore(): Promise<void> {
    const before = this.rewards.value;
    if (!before?.next || this.rewards.isLoading) return;
    const cursor = before.next;
    await this.#run('rewards', async () => toRewards(await this.#page({ cursor }), before));
    const { value, failure } = this.rewards;
    if (!failure && value) {
      const count = new Intl.NumberFormat(this.language.locale).format(value.items.length);
      this.say(fill(this.language.texts.shown, 'count', count), true);
    }
  }

  showPayout(): void {
    this.screen = 'payout';
    this.#isTurned = true;
    this.errors = {};
    this.isEditing = false;
    this.say('');
    void this.#loadDetails();
  }

  showHome(): void {
    this.screen = 'home';
    this.#isTurned = true;
    this.say('');
  }

  choose(kind: Kind): void {
    this.kind = kind;
    this.errors = {};
    this.changed();
  }

  /** True once after the screen was changed to this one: the focus goes along. */
  takeFocus(screen: 'home' | 'payout'): boolean {
    const isDue = this.#isTurned && this.screen === screen;
    if (isDue) this.#isTurned = false;
    return isDue;
  }

  edit(): void {
    this.isEditing = true;
    this.changed();
  }

  async savePayout(form: HTMLFormElement): Promise<void> {
    if (this.isSaving) return;
    const { texts, locale } = this.language;
    const reading = readForm(form, texts, locale);
    this.errors = reading.errors;
    if (reading.isComplete) {
      this.isSaving = true;
      this.changed();
      try {
        const body = { details: reading.details };
        const value = await this.#client.send<PayoutDetails>(
          'PUT',
          'v1/widget/payout-details',
          body,
        );
        this.details = { ...NOTHING, value };
        this.isEditing = false;
      } catch (error) {
        this.errors = reading.explain(error);
      }
      this.isSaving = false;
    }
    if (Object.keys(this.errors).length > 0) {
      this.say(this.errors[''] ?? texts.checkForm, true);
      form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return;
    }
    this.say(texts.saved);
    void this.loadRewards();
  }

  async copy(what: 'link' | 'code', near: Element): Promise<void> {
    const { texts } = this.language;
    if (await this.#put(what, near)) {
      this.copied = what;
      this.say(texts.copied, true);
      this.#tell(() => this.#listeners.copy?.({ what }));
    } else this.say(texts.copyFailed);
  }

  shared(platform: Platform | 'system'): void {
    this.#tell(() => this.#listeners.share?.({ platform }));
  }

  /** Instagram takes no links from other pages: it is copied, to be pasted there. */
  async shareByCopy(near: Element): Promise<void> {
    const { texts } = this.language;
    this.say((await this.#put('link', near)) ? texts.instagram : texts.copyFailed);
    this.shared('instagram');
  }

  say(notice: string, isQuiet = false): void {
    clearTimeout(this.#timer);
    this.notice = notice;
    this.isQuiet = isQuiet;
    if (notice === '') this.copied = null;
    else this.#timer = window.setTimeout(() => this.say(''), NOTICE_MS);
    this.changed();
  }

  destroy(): void {
    clearTimeout(this.#timer);
  }

  changed(): void {
    this.#onChange();
  }

  #put(what: 'link' | 'code', near: Element): Promise<boolean> {
    return copyText(this.start.value?.referral[what] ?? '', near);
  }

  #loadDetails(): Promise<void> {
    return this.#run('details', () => this.#client.get<PayoutDetails>('v1/widget/payout-details'));
  }

  #page(query: { cursor?: string } = {}): Promise<RewardPage> {
    const programId = this.start.value?.program.id ?? '';
    return this.#client.get<RewardPage>('v1/widget/rewards', { programId, ...query });
  }

  async #run<K extends 'start' | 'rewards' | 'details'>(
    name: K,
    work: () => Promise<NonNullable<Model[K]['value']>>,
  ): Promise<void> {
    const set = (load: Load<unknown>) => {
      this[name] = load as this[K];
      this.changed();
    };
    set({ ...this[name], isLoading: true, failure: null });
    try {
      set({ ...NOTHING, value: await work() });
    } catch (error) {
      const failure = error instanceof Failure ? error.kind : 'failed';
      set({ ...this[name], isLoading: false, failure });
    }
  }

  /** What the page does with an event is its own affair, and its own failure. */
  #tell(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      console.error('ServiceWidget: a listener failed', error);
    }
  }
}

function toRewards(page: RewardPage, before?: Rewards): Rewards {
  return {
    items: before ? [...before.items, ...page.items] : page.items,
    summary: page.summary ?? before?.summary ?? null,
    next: page.nextCursor,
  };
}
