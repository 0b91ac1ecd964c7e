import fc from 'fast-check';
import { expect, it } from 'vitest';
import { closeUnfinished } from './close-unfinished.ts';
import { compile } from './compile.ts';

const MODULE = `
import { useState } from 'react';
type Row = { name: string; size: number };
const rows: Row[] = [{ name: 'a < b', size: 1 / 2 }, { name: \`x \${'y'} z\`, size: 3 }];
// A comment with { and <div>
const pattern = /[/<{]+/g;
export default function App() {
  const [open, setOpen] = useState<boolean>(false);
  const small = rows.filter((row) => row.size < 2 && row.name !== "it's");
  return (
    <UI.Card title="Rows of 'things'" actions={<UI.Button onClick={() => setOpen(!open)}>{open ? 'Less' : 'More'}</UI.Button>}>
      <>
        {small.map((row) => (
          <p key={row.name} style={{ color: 'red' }}>It's {row.name} &amp; more</p>
        ))}
      </>
      {open && <UI.Table rows={rows} />}
    </UI.Card>
  );
}
`;

function compiles(code: string): boolean {
  try {
    compile(code, false);
    return true;
  } catch {
    return false;
  }
}

it('makes something that compiles of every beginning of a module', () => {
  const failing = Array.from({ length: MODULE.length + 1 }, (_, end) => MODULE.slice(0, end)).filter(
    (beginning) => !compiles(beginning),
  );
  expect(failing).toEqual([]);
});

it.each([
  ['return <UI.Card title="Rev', 'return <UI.Card title="Rev"/>'],
  ['return <p>Hello', 'return <p>Hello</p>'],
  ['return <p>Hello</', 'return <p>Hello</p>'],
  ['return <p>{name', 'return <p></p>'],
  ['return (<div><UI.St', 'return (<div></div>)'],
  ['return <UI.Stat label="a" val', 'return <UI.Stat label="a"/>'],
  ['const all = [{ a: 1 }, { b', 'const all = [{ a: 1 }]'],
])('closes %j to %j', (beginning, whole) => {
  expect(closeUnfinished(beginning)[0]).toBe(whole);
});

it('gives a few candidates for whatever it is given, the same each time', () => {
  const piece = fc.constantFrom(
    ...'<>/{}()[]`"\'\\ \n;,=$x'.split(''),
    '<p>',
    '</p>',
    '$' + '{',
    '//',
    '/*',
    '*/',
    '=>',
    'return',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const code = pieces.join('');
      const candidates = closeUnfinished(code);
      expect(candidates.length).toBeGreaterThan(0);
      expect(candidates.length).toBeLessThanOrEqual(9);
      expect(closeUnfinished(code)).toEqual(candidates);
    }),
    { numRuns: 300 },
  );
});

it('reads in time that grows with the code alone', () => {
  const code = `export default () => <div>${"<p>{`a`} 'text'</p>".repeat(20_000)}`;
  const startedAt = performance.now();
  closeUnfinished(code);
  expect(performance.now() - startedAt).toBeLessThan(3_000);
});
