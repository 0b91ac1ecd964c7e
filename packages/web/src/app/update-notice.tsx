import { useEffect, useState } from 'react';

const CHECK_MS = 60_000;

/** The server may be newer than this page, which stays open for days: then it says so. */
export function UpdateNotice() {
  const [isOld, setOld] = useState(false);
  useEffect(() => {
    const check = () => {
      if (!document.hidden) void isReplaced().then(setOld);
    };
    const timer = setInterval(check, CHECK_MS);
    addEventListener('focus', check);
    return () => {
      clearInterval(timer);
      removeEventListener('focus', check);
    };
  }, []);
  if (!isOld) return null;
  return (
    <div className="update" role="status">
      Toolpost was updated.{' '}
      <button type="button" className="button" onClick={() => location.reload()}>
        Load this page again
      </button>
    </div>
  );
}

/** The names of the page's files are made of what is in them. */
async function isReplaced(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module]')?.getAttribute('src');
  try {
    const response = await fetch(location.pathname, { cache: 'no-store' });
    const page = await response.text();
    return response.ok && own !== null && own !== undefined && page.includes('<script') && !page.includes(own);
  } catch {
    return false;
  }
}
