import type { Platform, Start } from './api-types.ts';
import { Icon } from './icons.tsx';
import type { Model } from './model.ts';
import { PLATFORMS, type Shared, shareUrl } from './share.ts';
import { fill } from './texts.ts';

const NAMES: Readonly<Record<Exclude<Platform, 'email'>, string>> = {
  whatsapp: 'WhatsApp',
  telegram: 'Telegram',
  facebook: 'Facebook',
  twitter: 'X',
  linkedin: 'LinkedIn',
  instagram: 'Instagram',
};

export function ShareButtons({ model, start }: { model: Model; start: Start }) {
  const { texts } = model.language;
  const { enabledPlatforms, productName } = start.config.widgetConfig;
  const shared: Shared = {
    link: start.referral.link,
    message: model.own('shareMessage'),
    subject: productName || model.own('title'),
  };
  const buttons = [];
  for (const platform of PLATFORMS) {
    if (enabledPlatforms[platform]) {
      buttons.push(
        <ShareButton key={platform} model={model} platform={platform} shared={shared} />,
      );
    }
  }
  return (
    <div class="share">
      {hasShareSheet() && (
        <button
          type="button"
          class="button"
          onClick={(event) => void openSheet(model, shared, event.currentTarget)}
        >
          <Icon name="share" />
          {texts.share}
        </button>
      )}
      {buttons.length > 0 && <ul aria-label={texts.share}>{buttons}</ul>}
    </div>
  );
}

function ShareButton(props: { model: Model; platform: Platform; shared: Shared }) {
  const { model, platform, shared } = props;
  const { texts } = model.language;
  const name = platform === 'email' ? texts.email : NAMES[platform];
  const label = fill(texts.shareWith, 'name', name);
  const url = shareUrl(platform, shared);
  const content = [<Icon key="icon" name={platform} />, <span key="name">{name}</span>];
  return (
    <li>
      {url === null ? (
        <button
          type="button"
          aria-label={label}
          onClick={(event) => void model.shareByCopy(event.currentTarget)}
        >
          {content}
        </button>
      ) : (
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={label}
          onClick={() => model.shared(platform)}
        >
          {content}
        </a>
      )}
    </li>
  );
}

/** Whether the system has a share sheet; only on handheld devices. */
function hasShareSheet(): boolean {
  return 'share' in navigator && matchMedia('(pointer: coarse)').matches;
}

async function openSheet(model: Model, shared: Shared, near: Element): Promise<void> {
  const { link, message, subject } = shared;
  try {
    await navigator.share({ title: subject, text: message, url: link });
    model.shared('system');
  } catch (error) {
    // Unless the user cancelled, the page does not allow it to open.
    if ((error as Error).name !== 'AbortError') void model.copy('link', near);
  }
}
