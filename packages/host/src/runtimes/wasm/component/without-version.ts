/** `ein:plugin/tool@0.1.0` is `ein:plugin/tool`. */
export function withoutVersion(name: string): string {
  return name.replace(/@[^@/]*$/, '');
}
