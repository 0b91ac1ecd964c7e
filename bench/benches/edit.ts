import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { measureInterleaved, type Variant } from '../interleave.ts';
import { repeat } from '../repeat.ts';
import type { Group } from '../report.ts';
import { callTool, makeFolder, openHost } from '../toolpost-host.ts';

const BYTES = 10_000_000;
const FLOOR = 'read, indexOf, splice, write beside, flush, rename';
const EDIT = 'Toolpost, edit';

/** One word changed in the middle of a text file of 10 MB, on the disk when it is done. */
export async function* measure(): AsyncGenerator<Group> {
  const folder = makeFolder();
  const root = `${folder.dir}/root`;
  mkdirSync(root);
  for (const name of ['floor.txt', 'edit.txt']) writeFileSync(`${root}/${name}`, textAround('the word one'));
  const toolpost = await openHost(`${folder.dir}/home`, { roots: [root], allow: ['edit'] });
  const input = { file_path: 'edit.txt' };
  const variants: Variant[] = [
    {
      name: FLOOR,
      role: 'floor',
      run: repeat(thereAndBack((from, to) => replaceByHand(`${root}/floor.txt`, from, to))),
    },
    {
      name: EDIT,
      role: 'toolpost',
      run: repeat(
        thereAndBack((from, to) =>
          callTool(toolpost, 'edit', JSON.stringify({ ...input, old_string: from, new_string: to })),
        ),
      ),
    },
  ];
  const measured = await measureInterleaved(variants, { rounds: 11, turnMs: 400, warmUpMs: 1000, isEachTimed: true });
  if (readFileSync(`${root}/edit.txt`).length !== readFileSync(`${root}/floor.txt`).length)
    throw new Error('edit lost bytes');
  await toolpost.close();
  folder.remove();
  yield {
    title: 'One edit of a file of 10 MB',
    measured,
    targets: [{ text: 'at most 4 x the floor', of: EDIT, to: FLOOR, atMost: 4 }],
  };
}

/** Every other time the word goes back to what it was. */
function thereAndBack(replace: (from: string, to: string) => Promise<unknown>): () => Promise<unknown> {
  let [from, to] = ['the word one', 'the word two'];
  return async () => {
    await replace(from, to);
    [from, to] = [to, from];
  };
}

function textAround(word: string): string {
  const line = 'const value = compute("the quick brown fox", 0123456789);\n';
  const half = line.repeat(Math.ceil(BYTES / 2 / line.length)).slice(0, BYTES / 2);
  return `${half}\n${word}\n${half}`;
}

/** The least that leaves either the old file or the new one. */
async function replaceByHand(path: string, from: string, to: string): Promise<void> {
  const before = await readFile(path);
  const at = before.indexOf(from);
  const after = Buffer.concat([before.subarray(0, at), Buffer.from(to), before.subarray(at + Buffer.byteLength(from))]);
  const handle = await open(`${path}.new`, 'w');
  await handle.writeFile(after);
  await handle.datasync();
  await handle.close();
  await rename(`${path}.new`, path);
}
