// Seed B's note-taking tool. Nothing in it knows whether it runs in a process or in a component.
import { defineTool } from '@toolpost/sdk';
import { openFiles } from '@toolpost/sdk/fs';

export const note = defineTool({
  name: 'Note',
  description: 'Append a note to a text file',
  inputSchema: [
    { name: 'text', type: 'string', description: 'The text to append', required: true },
    {
      name: 'file',
      type: 'string',
      description: 'Path to the notes file, absolute or relative to the first workspace root',
      required: true,
    },
  ],
  primaryArg: 'file',
  async execute({ text, file }, context) {
    await openFiles(context).appendTextFile(file, `${text}\n`);
    return `Appended to ${file}`;
  },
});
