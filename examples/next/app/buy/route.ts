import { cookies } from 'next/headers';
import { after } from 'next/server';
import { goodword, report } from '../../lib/goodword';
import { findUser, placeOrder } from '../../lib/shop';

export async function POST(request: Request): Promise<Response> {
  const user = findUser((await cookies()).get('session')?.value);
  const orderId = String((await request.formData()).get('orderId') ?? '');
  if (!user || orderId === '') return new Response(null, { status: 400 });
  if (placeOrder(orderId)) {
    const participant = { kind: 'individual', externalId: user.id } as const;
    const purchase = { amountMinor: '4000', currency: 'USD', orderId };
    const fact = { participant, sourceEventId: orderId, purchase };
    after(() => report(() => goodword.track.purchase(fact)));
  }
  return new Response(null, { status: 303, headers: { location: '/' } });
}
