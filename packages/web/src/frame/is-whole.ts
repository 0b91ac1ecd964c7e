import { createContext } from 'react';

/** Whether the code of what is drawn is whole: while it is written, nothing is worth a movement. */
export const IsWhole = createContext(true);
