// Stands in for the command behind the launcher: does what its first argument names.
const [mode, value] = process.argv.slice(2);

const modes = {
  show: () =>
    console.log(JSON.stringify({ node: process.versions.node, args: process.argv.slice(2), env: process.env })),
  exit: () => {
    process.exitCode = Number(value);
  },
  die: () => {
    process.kill(process.pid, value);
    keepRunning();
  },
  // Counts the interrupts that arrive until a SIGTERM asks for the number.
  count: () => {
    let interrupts = 0;
    process.on('SIGINT', () => console.log(`interrupt ${++interrupts}`));
    process.on('SIGTERM', () => {
      console.log(`ended after ${interrupts}`);
      process.exit(0);
    });
    console.log(`ready ${process.pid}`);
    keepRunning();
  },
  // As a plugin that loops while it is loaded.
  spin: () => {
    process.on('SIGTERM', () => {});
    console.log(`ready ${process.pid}`);
    for (;;);
  },
  wait: () => {
    console.log(`ready ${process.pid}`);
    keepRunning();
  },
};

function keepRunning() {
  setInterval(() => {}, 1000);
}

modes[mode]();
