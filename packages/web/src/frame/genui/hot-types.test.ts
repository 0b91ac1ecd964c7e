import { expect, it } from 'vitest';
import { createHotTypes } from './hot-types.ts';

type Component = (props: object) => unknown;

function version(text: string): Component {
  return new Function('useState', 'useEffect', `return ${text}`)() as Component;
}

it('gives the same type for a component of the same name and hooks, which draws what is newest', () => {
  const hot = createHotTypes(() => false);
  hot.startVersion();
  const first = hot.stable(version('function App() { useState; return 1; }')) as Component;
  hot.startVersion();
  const second = hot.stable(version('function App() { useState; return 2; }')) as Component;
  expect(second).toBe(first);
  expect(first({})).toBe(2);
});

it('begins anew where hooks are others, and keeps two of one name apart', () => {
  const hot = createHotTypes(() => false);
  hot.startVersion();
  const first = hot.stable(version('function App() { useState; }'));
  hot.startVersion();
  expect(hot.stable(version('function App() { useState; useEffect; }'))).not.toBe(first);
  const [one, other] = [version('function Row() { return 1; }'), version('function Row() { return 2; }')];
  expect((hot.stable(one) as Component)({})).toBe(1);
  expect(hot.stable(other)).toBe(other);
});

it('leaves alone what is a library, an element, or no component', () => {
  const library = version('function Card() {}');
  const hot = createHotTypes((type) => type === library);
  for (const type of ['div', library, version('function helper() {}'), { $$typeof: 1 }])
    expect(hot.stable(type)).toBe(type);
});
