import type { ReactNode } from 'react';
import type { ShowRequest } from '../messages.ts';

/** What is to be seen of some code. */
export interface Picture {
  readonly version: number;
  readonly isFinal: boolean;
  readonly element: ReactNode;
  readonly compileMs: number;
}

/** Makes a picture of code; undefined while there is too little of it. It throws what is wrong with it. */
export type Draw = (request: ShowRequest) => ReactNode | undefined;
