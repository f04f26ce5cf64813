// Runs the WebAssembly module of threshold-verify and prints its report.
//
//   node scripts/verify.mjs MODULE quick|full
//
// Exit status: 0 if every hash is the expected one, 1 if one differs or the run fails.
import { readFileSync } from "node:fs";

const [path, scope] = process.argv.slice(2);
if (!path || !["quick", "full"].includes(scope)) {
    console.error("usage: node scripts/verify.mjs MODULE quick|full");
    process.exit(2);
}
// No imports: the module has no files, no clock and no threads.
const { instance } = await WebAssembly.instantiate(readFileSync(path), {});
const { run, byte } = instance.exports;
const differing = run(scope === "full" ? 1 : 0);
const bytes = [];
for (let next = byte(0); next >= 0; next = byte(bytes.length)) {
    bytes.push(next);
}
process.stdout.write(new TextDecoder().decode(new Uint8Array(bytes)));
if (differing !== 0) {
    console.error(differing > 0 ? `${differing} hashes differ` : "\nthe run failed");
    process.exit(1);
}
