import { randomUUID } from 'node:crypto';
import { cookies } from 'next/headers';
import { settings } from '../lib/settings';
import { findUser, type User } from '../lib/shop';
import { Referrals } from './referrals';

export default async function Page() {
  const user = findUser((await cookies()).get('session')?.value);
  return (
    <main>
      <h1>Acme Mugs</h1>
      {user ? <Account user={user} /> : <SignUp />}
    </main>
  );
}

function SignUp() {
  return (
    <form method="post" action="/sign-up">
      <label>
        Your name <input name="name" required maxLength={100} />
      </label>
      <label>
        A friend’s code <input name="code" maxLength={64} />
      </label>
      <button type="submit">Sign up</button>
    </form>
  );
}

function Account({ user }: { user: User }) {
  const { goodwordUrl, projectId, programId } = settings;
  return (
    <>
      <p>
        Signed in as {user.name}. Your credit: {dollars(user.creditMinor)}
      </p>
      <form method="post" action="/buy">
        <input type="hidden" name="orderId" value={randomUUID()} />
        <button type="submit">Buy a mug for $40.00</button>
      </form>
      <Referrals baseUrl={goodwordUrl} projectId={projectId} programId={programId} />
    </>
  );
}

function dollars(minor: bigint): string {
  return `$${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
}
