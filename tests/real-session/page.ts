import path from 'node:path';
import { repository } from '../documented-page.ts';

export const SESSION_PAGE = path.join(repository, 'docs/a-real-session.md');

const TRANSCRIPT = /(?<=^```text\n)[\s\S]*?(?=\n```$)/m;

export function transcriptOf(page: string): string {
  return TRANSCRIPT.exec(page)?.[0] ?? '';
}

export function withTranscript(page: string, transcript: string): string {
  return page.replace(TRANSCRIPT, () => transcript);
}
