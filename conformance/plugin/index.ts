/** What MCP's conformance suite looks for by name: each does what the suite's descriptions ask for. */
import { definePlugin } from '@toolpost/sdk';
import { askingTools } from './asking-tools.ts';
import { prompts } from './prompts.ts';
import { resources, resourceTemplates } from './resources.ts';
import { tools } from './tools.ts';

export default definePlugin({ tools: [...tools, ...askingTools], resources, resourceTemplates, prompts });
