export { callTool } from './call-tool.ts';
export { type DrivenCallOptions, type DrivenPlugin, type DriveOptions, drivePlugin } from './drive-plugin.ts';
export { createMemoryStorage, createTestContext, type TestContext, type TestContextOptions } from './test-context.ts';
