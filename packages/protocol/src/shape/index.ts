export * from './container-shapes.ts';
export * from './findings.ts';
export * from './scalar-shapes.ts';
export * from './shape.ts';
