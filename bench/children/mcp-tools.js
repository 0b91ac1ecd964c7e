import { z } from 'zod';

const GREETING = z.object({ name: z.string(), times: z.number().int(), isLoud: z.boolean().optional() });

/** `echo`, and so many more. */
export function addTools(server, count) {
  server.registerTool(
    'echo',
    { description: 'Gives its text back.', inputSchema: z.object({ text: z.string() }) },
    ({ text }) => ({ content: [{ type: 'text', text }] }),
  );
  for (let index = 0; index < count; index += 1)
    server.registerTool(`tool_${index}`, { description: `Tool number ${index}.`, inputSchema: GREETING }, () => ({
      content: [],
    }));
  return server;
}
