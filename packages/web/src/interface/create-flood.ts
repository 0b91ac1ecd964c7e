/** Says of each message whether it is heard: at most so many within a second. */
export function createFlood(most: number): () => boolean {
  let second = 0;
  let count = 0;
  return () => {
    const now = Math.floor(performance.now() / 1_000);
    count = now === second ? count + 1 : 0;
    second = now;
    return count < most;
  };
}
