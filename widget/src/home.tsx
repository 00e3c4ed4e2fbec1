import type { Start } from './api-types.ts';
import type { Model } from './model.ts';
import { ProgressList } from './progress.tsx';
import { RewardList } from './rewards.tsx';
import { isHttps } from './share.ts';
import { ShareButtons } from './share-buttons.tsx';
import { fill } from './texts.ts';

export function Home({ model, start }: { model: Model; start: Start }) {
  const { logoUrl } = start.config.widgetConfig;
  const subtitle = model.own('subtitle');
  const isActive = start.program.status === 'active';
  const isNew = model.rewards.value?.items.length === 0;
  return (
    <>
      <div class="head">
        {isHttps(logoUrl) && (
          <img class="logo" src={logoUrl} alt="" referrerpolicy="no-referrer" onError={hide} />
        )}
        <h2>
          <bdi>{model.title}</bdi>
        </h2>
        {subtitle && (
          <p>
            <bdi>{subtitle}</bdi>
          </p>
        )}
      </div>
      {isActive ? (
        <>
          <Link model={model} start={start} />
          <ShareButtons model={model} start={start} />
        </>
      ) : (
        <p>{model.language.texts.closedHint}</p>
      )}
      <ProgressList language={model.language} start={start} />
      {isActive && isNew && <HowItWorks model={model} start={start} />}
      <RewardList model={model} start={start} />
      {isActive && !isNew && <HowItWorks model={model} start={start} />}
    </>
  );
}

function hide(event: Event): void {
  (event.currentTarget as HTMLElement).hidden = true;
}

function Link({ model, start }: { model: Model; start: Start }) {
  const { texts } = model.language;
  const { link, code } = start.referral;
  return (
    <div class="mine">
      <label for="link">{texts.link}</label>
      <div class="copy">
        <input id="link" readOnly dir="ltr" value={link} onFocus={selectAll} />
        <CopyButton model={model} what="link" label={texts.copyLink} style="button" />
      </div>
      <p class="code">
        {texts.code} <b dir="ltr">{code}</b>
        <CopyButton model={model} what="code" label={texts.copyCode} style="text" />
      </p>
    </div>
  );
}

function selectAll(event: FocusEvent): void {
  (event.currentTarget as HTMLInputElement).select();
}

function CopyButton(props: {
  model: Model;
  what: 'link' | 'code';
  label: string;
  style: 'button' | 'text';
}) {
  const { model, what } = props;
  const { texts } = model.language;
  const isCopied = model.copied === what;
  return (
    <button
      type="button"
      class={props.style}
      aria-label={isCopied ? texts.copied : props.label}
      onClick={(event) => void model.copy(what, event.currentTarget)}
    >
      {isCopied ? texts.copied : texts.copy}
    </button>
  );
}

function HowItWorks({ model, start }: { model: Model; start: Start }) {
  const { texts } = model.language;
  const { productName } = start.config.widgetConfig;
  const joins = productName ? fill(texts.step2At, 'product', productName) : texts.step2;
  return (
    <section class="how" aria-labelledby="how">
      <h3 id="how">{texts.how}</h3>
      <ol>
        <li>{texts.step1}</li>
        <li>{joins}</li>
        <li>{texts.step3}</li>
      </ol>
    </section>
  );
}
