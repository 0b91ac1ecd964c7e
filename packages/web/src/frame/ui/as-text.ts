import { isValidElement, type ReactNode } from 'react';

/** What models put where text or an element is expected: an object is written out, not an error. */
export function asNode(value: unknown): ReactNode {
  if (value === null || value === undefined || typeof value === 'boolean')
    return typeof value === 'boolean' ? String(value) : null;
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'object' && !isValidElement(value) && !Array.isArray(value)) return JSON.stringify(value);
  return value as ReactNode;
}

export function formatNumber(value: number): string {
  return Number.isFinite(value) ? value.toLocaleString(undefined, { maximumFractionDigits: 2 }) : String(value);
}
