import type { PayoutDetails, Platform, Reward, RewardPage, Start, Summary } from './api-types.ts';
import type { Client } from './client.ts';
import type { Codes } from './codes.ts';
import { copyText } from './copy-text.ts';
import { Failure, type FailureKind } from './failure.ts';
import type { WidgetListeners } from './options.ts';
import { type Kind, readForm } from './payout-form.ts';
import { ENGLISH, fill, type Language, type OwnText, sayOwn } from './texts.ts';

const NOTICE_MS = 5_000;
/** After this time the panel retries its start once by itself. */
const AGAIN_MS = 30_000;

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

/** All state of the panel, and its actions. Listeners are notified of every change. */
export class Model {
  language: Language = ENGLISH;
  readonly isInline: boolean;
  start: Load<Start> = NOTHING;
  rewards: Load<Rewards> = NOTHING;
  /** The last request was for more of the list, not for a new list. */
  isPaging = false;
  details: Load<PayoutDetails> = NOTHING;
  /** Loaded before the first details. */
  codes: Codes | null = null;
  isOpen = false;
  screen: 'home' | 'payout' = 'home';
  isEditing = false;
  isSaving = false;
  /** Errors by field of the form; an empty name for the whole form. */
  errors: Readonly<Record<string, string>> = {};
  /** The chosen kind of payout details. */
  kind: Kind | null = null;
  /** Announced to screen readers, and shown for a while. */
  notice = '';
  /** Only announced, because it is visible anyway. */
  isQuiet = false;
  copied: 'link' | 'code' | null = null;
  readonly #client: Client;
  readonly #programId: string | undefined;
  readonly #listeners: WidgetListeners;
  readonly #onChange: () => void;
  #timer = 0;
  #again = 0;
  /** The screen has changed, and the focus has not followed yet. */
  isTurned = false;
  /** Counts the runs of each kind: only the newest may change the state. */
  readonly #runs = { start: 0, rewards: 0, details: 0 };

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

  /** Never empty, although the program's may be. */
  get title(): string {
    return this.own('title').trim() || this.language.texts.rewards;
  }

  /** Empty until it is known. */
  own(name: OwnText): string {
    const given = this.start.value?.config.widgetConfig[name];
    return given ? sayOwn(given, name, this.language.texts) : '';
  }

  /** Starts, or starts again after a failure. */
  async load(): Promise<void> {
    if (this.start.isLoading) return;
    if (!this.start.value) {
      await this.#run('start', () =>
        this.#client.send<Start>('POST', 'v1/widget/init', { programId: this.#programId }),
      );
      if (this.start.failure === 'failed') {
        this.#again ||= window.setTimeout(() => this.resume(), AGAIN_MS);
      }
    }
    if (this.isInline || this.isOpen) await this.loadRewards();
  }

  /** Drops the participant's data and their pending calls. */
  restart(): void {
    this.#runs.start += 1;
    this.#runs.rewards += 1;
    this.#runs.details += 1;
    this.start = this.rewards = this.details = NOTHING;
    this.screen = 'home';
    this.isSaving = false;
    this.kind = null;
    void this.load();
  }

  /** Repeats what failed because there was no connection. */
  resume(): void {
    if (this.start.failure) void this.load();
    else if (this.rewards.failure) void (this.isPaging ? this.loadMore() : this.loadRewards());
    if (this.details.failure) void this.loadDetails();
    if (this.errors['']) this.errors = {};
    this.changed();
  }

  open(): void {
    if (this.isOpen || this.isInline) return;
    this.isOpen = true;
    this.screen = 'home';
    this.changed();
    this.#notify(() => this.#listeners.open?.());
    void this.load();
  }

  closed(): void {
    this.isOpen = false;
    this.say('');
  }

  async loadRewards(): Promise<void> {
    if (!this.start.value) return;
    this.isPaging = false;
    await this.#run('rewards', async () => toRewards(await this.#page()));
  }

  async loadMore(): Promise<void> {
    const before = this.rewards.value;
    if (!before?.next || this.rewards.isLoading) return;
    const cursor = before.next;
    this.isPaging = true;
    await this.#run('rewards', async () => toRewards(await this.#page({ cursor }), before));
    const { value, failure } = this.rewards;
    if (this.isPaging && !failure && value) {
      const count = new Intl.NumberFormat(this.language.locale).format(value.items.length);
      this.say(fill(this.language.texts.shown, 'count', count), true);
    }
  }

  showPayout(): void {
    this.screen = 'payout';
    this.isTurned = true;
    this.errors = {};
    this.isEditing = false;
    this.say('');
    void this.loadDetails();
  }

  showHome(): void {
    this.screen = 'home';
    this.isTurned = true;
    this.say('');
  }

  choose(kind: Kind): void {
    this.kind = kind;
    this.errors = {};
    this.changed();
  }

  edit(): void {
    this.isEditing = true;
    this.isTurned = true;
    this.changed();
  }

  /** Without a form: Stripe again, for a new address of its pages, which expires soon. */
  async savePayout(form: HTMLFormElement | null): Promise<void> {
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
        // Earlier requests do not include this change.
        this.#runs.details += 1;
        this.details = { ...NOTHING, value };
        this.isEditing = false;
        this.isTurned = this.screen === 'payout';
      } catch (error) {
        this.errors = reading.explain(error);
      }
      this.isSaving = false;
    }
    if (Object.keys(this.errors).length > 0) {
      // Errors of a form are shown in the form.
      this.say(this.errors[''] ?? texts.checkForm, form !== null);
      form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return;
    }
    this.say(form ? texts.saved : '');
    void this.loadRewards();
  }

  async copy(what: 'link' | 'code', near: Element): Promise<void> {
    const { texts } = this.language;
    if (await this.#put(what, near)) {
      this.copied = what;
      this.say(texts.copied, true);
      this.#notify(() => this.#listeners.copy?.({ what }));
    } else this.say(texts.copyFailed);
  }

  shared(platform: Platform | 'system'): void {
    this.#notify(() => this.#listeners.share?.({ platform }));
  }

  /** Instagram accepts no links from other pages: the link is copied for pasting. */
  async shareByCopy(near: Element): Promise<void> {
    const { texts } = this.language;
    const isCopied = await this.#put('link', near);
    this.say(isCopied ? texts.instagram : texts.copyFailed);
    if (isCopied) this.shared('instagram');
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
    clearTimeout(this.#again);
  }

  changed(): void {
    this.#onChange();
  }

  #put(what: 'link' | 'code', near: Element): Promise<boolean> {
    // Cleared first, or a repeated text would not be announced.
    this.say('');
    return copyText(this.start.value?.referral[what] ?? '', near);
  }

  loadDetails(): Promise<void> {
    return this.#run('details', async () => {
      this.codes ??= await this.#client.codes();
      return this.#client.get<PayoutDetails>('v1/widget/payout-details');
    });
  }

  #page(query: { cursor?: string } = {}): Promise<RewardPage> {
    const programId = this.start.value?.program.id ?? '';
    return this.#client.get<RewardPage>('v1/widget/rewards', { programId, ...query });
  }

  async #run<K extends 'start' | 'rewards' | 'details'>(
    name: K,
    work: () => Promise<NonNullable<Model[K]['value']>>,
  ): Promise<void> {
    this.#runs[name] += 1;
    const run = this.#runs[name];
    const set = (load: Load<unknown>) => {
      if (run !== this.#runs[name]) return;
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

  /** A listener's failure belongs to the page and must not affect the panel. */
  #notify(listener: () => void): void {
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
