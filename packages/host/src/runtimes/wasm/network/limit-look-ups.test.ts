import { expect, test } from 'vitest';
import { limitLookUps } from './limit-look-ups.ts';

test('looks one name up after the other, also after one that failed, and refuses more than may wait', async () => {
  const asked: { name: string; answer: PromiseWithResolvers<string[]> }[] = [];
  const lookUp = limitLookUps((name) => {
    const answer = Promise.withResolvers<string[]>();
    asked.push({ name, answer });
    return answer.promise;
  }, 2);
  const first = lookUp('a.example');
  const second = lookUp('b.example');
  await expect(lookUp('c.example')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  expect(asked.map(({ name }) => name)).toEqual(['a.example']);
  asked[0]?.answer.reject(new Error('no'));
  await expect(first).rejects.toThrow('no');
  expect(asked.map(({ name }) => name)).toEqual(['a.example', 'b.example']);
  asked[1]?.answer.resolve(['93.184.215.14']);
  expect(await second).toEqual(['93.184.215.14']);
});
