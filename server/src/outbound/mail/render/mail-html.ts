import { type Html, html, raw } from '../../../platform/http/server/html.ts';

/** What a mail looks like, whatever it says. */
export interface MailFrame {
  readonly lang: string;
  readonly brandName: string;
  /** An https address; null for the name in letters. */
  readonly logoUrl: string | null;
  /** `#rrggbb` */
  readonly colour: string;
  readonly subject: string;
  readonly hello: string;
  readonly paragraphs: readonly string[];
  readonly button: { readonly label: string; readonly url: string } | null;
  readonly why: string;
  readonly stop: { readonly label: string; readonly url: string } | null;
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
/** Clients without this rule show the light colours, which are also in the elements themselves. */
const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){.ground{background:#101513!important}.card{background:#19211d!important;border-color:#2d3934!important}.text{color:#eaf1ed!important}.soft{color:#a7b5ae!important}}
@media (max-width:480px){.pad{padding:24px!important}}`;

/** Tables and attributes instead of modern layout: Outlook on Windows renders with Word. */
export function writeMailHtml(frame: MailFrame): string {
  const { lang, subject, hello, paragraphs, button, stop, why } = frame;
  const dir = lang === 'ar' ? 'rtl' : 'ltr';
  const line = `margin:0 0 16px;${FONT};font-size:16px;line-height:1.55;color:#17211c`;
  const small = `margin:0;${FONT};font-size:13px;line-height:1.5;color:#51605a`;
  return html`<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${raw(STYLE)}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#f4f6f4">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f4f6f4"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:560px">
<tr><td style="padding:0 8px 16px">${writeBrand(frame)}</td></tr>
<tr><td class="card pad" style="padding:36px;background:#ffffff;border:1px solid #d9dfda;border-radius:12px">
<h1 class="text" style="margin:0 0 20px;${FONT};font-size:22px;line-height:1.3;color:#17211c">${subject}</h1>
<p class="text" style="${line}">${hello}</p>
${paragraphs.map((text) => html`<p class="text" style="${line}">${text}</p>\n`)}${button ? writeButton(button, frame.colour) : null}</td></tr>
<tr><td style="padding:20px 8px 0"><p class="soft" style="${small}">${why}${stop ? html` <a class="soft" href="${stop.url}" style="color:#51605a;text-decoration:underline">${stop.label}</a>` : null}</p></td></tr>
</table>
</td></tr></table>
</body>
</html>
`.text;
}

function writeBrand({ logoUrl, brandName }: MailFrame): Html {
  if (logoUrl !== null) {
    return html`<img src="${logoUrl}" alt="${brandName}" height="36" style="display:block;height:36px;max-width:220px;border:0">`;
  }
  return html`<span class="text" style="${FONT};font-size:17px;font-weight:600;color:#17211c">${brandName}</span>`;
}

/** The cell has the colour, because Outlook ignores the padding of a link. */
function writeButton(button: NonNullable<MailFrame['button']>, colour: string): Html {
  const look = `display:inline-block;padding:13px 22px;${FONT};font-size:16px;font-weight:600;color:${readableOn(colour)};text-decoration:none`;
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin-top:8px"><tr><td bgcolor="${colour}" style="background:${colour};border-radius:8px"><a href="${button.url}" style="${look}">${button.label}</a></td></tr></table>
`;
}

/** Black or white, whichever has more contrast (WCAG 2 relative luminance). */
export function readableOn(colour: string): '#000000' | '#ffffff' {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#000000' : '#ffffff';
}
