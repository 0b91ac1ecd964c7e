/**
 * What a terminal would show in the end: of a line that a program wrote over again and again with CR (a progress bar)
 * only the last state. CRLF becomes LF.
 */
export function collapseProgress(text: string): string {
  if (!text.includes('\r')) return text;
  return text.split('\n').map(lastState).join('\n');
}

function lastState(line: string): string {
  const end = line.replace(/\r+$/, '');
  return end.slice(end.lastIndexOf('\r') + 1);
}
