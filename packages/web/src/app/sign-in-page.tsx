import { type FormEvent, useState } from 'react';

interface SignInPageProps {
  readonly why: string;
  /** Resolves when it is known whether the token is right. */
  readonly onToken: (token: string) => Promise<void>;
}

export function SignInPage({ why, onToken }: SignInPageProps) {
  const [token, setToken] = useState('');
  const [isChecking, setChecking] = useState(false);
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (token.trim() === '' || isChecking) return;
    setChecking(true);
    await onToken(token.trim());
    setChecking(false);
  }
  return (
    <main className="sign-in">
      <h1>Toolpost</h1>
      {why !== '' && (
        <p className="note error" role="alert">
          {why}
        </p>
      )}
      <p>
        Open the address that <code>toolpost serve</code> printed: it opens this page once. A page that was opened so
        can be loaded again. The file that holds the token is named there too.
      </p>
      <form onSubmit={(event) => void submit(event)}>
        <label>
          Or paste the token
          <input type="password" autoComplete="off" value={token} onChange={(event) => setToken(event.target.value)} />
        </label>
        <button type="submit" className="button primary" disabled={isChecking}>
          Open
        </button>
      </form>
      <p className="dim">It stays in this tab, and is gone when the tab is closed.</p>
    </main>
  );
}
