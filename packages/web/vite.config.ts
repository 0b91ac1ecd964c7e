import { defineConfig } from 'vite';

// The page's policy allows no inline script or style and nothing from elsewhere: all is in files beside it.
export default defineConfig({
  base: './',
  build: {
    target: 'es2023',
    // Those that know `light-dark()`: what stands for it elsewhere follows no scheme that a script has chosen.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
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
