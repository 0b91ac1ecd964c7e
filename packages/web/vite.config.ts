import { defineConfig } from 'vite';

// The page's policy allows no inline script or style and nothing from elsewhere: all is in files beside it.
export default defineConfig({
  base: './',
  build: {
    target: 'es2023',
    // tsc keeps its notes in `dist` itself.
    outDir: 'dist/client',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      // Directives for frameworks that render on servers say nothing here.
      onLog: (level, log, report) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && report(level, log),
    },
  },
  clearScreen: false,
  logLevel: 'warn',
});
