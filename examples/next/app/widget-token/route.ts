import { widgetToken } from '@goodword/sdk';
import { cookies } from 'next/headers';
import { settings } from '../../lib/settings';
import { findUser } from '../../lib/shop';

export async function GET(): Promise<Response> {
  const user = findUser((await cookies()).get('session')?.value);
  if (!user) return new Response(null, { status: 401 });
  const token = await widgetToken({
    projectId: settings.projectId,
    participant: { kind: 'individual', externalId: user.id },
    secret: settings.widgetSecret,
  });
  return new Response(token, { headers: { 'cache-control': 'no-store' } });
}
