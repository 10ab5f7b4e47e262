/**
 * Loaded into every server that is measured, product and peers alike (`node --import`), which know nothing of it:
 * answers over IPC what its process has used, and ends the process when nobody measures it any more.
 */

process.on("message", (message) => {
  if (message === "cpu") {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMicros: user + system });
  }
  if (message === "memory") {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    process.send?.({ memoryBytes: heapUsed + external });
  }
});
process.once("disconnect", () => process.exit());
// The channel alone keeps no server running.
process.channel?.unref();
