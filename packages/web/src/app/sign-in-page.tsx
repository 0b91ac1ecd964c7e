import { type FormEvent, useState } from 'react';

interface SignInPageProps {
  readonly why: string;
  readonly onToken: (token: string) => void;
}

export function SignInPage({ why, onToken }: SignInPageProps) {
  const [token, setToken] = useState('');
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (token.trim() !== '') onToken(token.trim());
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
        Open the link that <code>toolpost serve</code> printed: it opens this page once. A page that was opened so can
        be loaded again.
      </p>
      <form onSubmit={submit}>
        <label>
          Or give a token
          <input type="password" autoComplete="off" value={token} onChange={(event) => setToken(event.target.value)} />
        </label>
        <button type="submit" className="button primary">
          Open
        </button>
      </form>
      <p className="dim">It stays in this tab, and is gone when the tab is closed.</p>
    </main>
  );
}
