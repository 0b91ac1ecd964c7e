// Gives back each line that it reads. No protocol: what is left is the pipes and this runtime.
const LF = 0x0a;

process.stdin.on('data', (chunk) => {
  let start = 0;
  for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
    process.stdout.write(chunk.subarray(start, end + 1));
    start = end + 1;
  }
  // The rest of a long line need not wait for its end.
  if (start < chunk.length) process.stdout.write(chunk.subarray(start));
});
