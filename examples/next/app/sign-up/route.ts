import { readHandle } from '@goodword/sdk';
import { after } from 'next/server';
import { goodword, report } from '../../lib/goodword';
import { settings } from '../../lib/settings';
import { createUser } from '../../lib/shop';

const secure = settings.shopUrl.startsWith('https:') ? '; Secure' : '';

export async function POST(request: Request): Promise<Response> {
  const form = await request.formData();
  const { user, session } = createUser(String(form.get('name') ?? 'Somebody'));
  const refCode = String(form.get('code') ?? '').trim();
  // The handle of a followed link, and the code that was typed in; either may be missing.
  const signup = {
    participant: { kind: 'individual', externalId: user.id } as const,
    handle: readHandle(request),
    ...(refCode === '' ? {} : { refCode }),
  };
  after(() => report(() => goodword.track.signup(signup)));
  const cookie = `session=${session}; Path=/; HttpOnly; SameSite=Lax${secure}`;
  return new Response(null, { status: 303, headers: { location: '/', 'set-cookie': cookie } });
}
