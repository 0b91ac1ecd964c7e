/** Does nothing so far. */
export function reflowOnResize(_stdout: NodeJS.WriteStream): () => void {
  return () => {};
}
